import type { Json, JsonObject, RunSettings, ShownRun } from '@casefile/contracts';

/** A figure of the verdict beside the bounds that decide what follows from it. */
export interface Scale {
  name: string;
  value: number;
  max: number;
  /** From `from` on it is called `label`. The first begins at 0. */
  bands: { from: number; label: string }[];
  /** How the value is written. */
  text: string;
}

/** One sentence that says how the policy goes from the answer to the verdict, where it is a known one. */
const RULES: Record<string, string> = {
  'risk-level': 'A warning of the review, or a text that could not be read, means review whatever the level.',
  'engage-probe-ignore':
    'Confidence and the number of red flags choose engage, probe or ignore. Any failure on the way means ignore.',
  'combine-criteria':
    'Each criterion is settled by itself, its citations verified; the rule of the case combines them.',
};

export function ruleOf(policy: string): string | null {
  return RULES[policy] ?? null;
}

/** S1-48: scores from which the heuristic calls a risk medium and high. */
const HEURISTIC_BANDS = [
  { from: 0, label: 'low' },
  { from: 40, label: 'medium' },
  { from: 70, label: 'high' },
];
/** The answer's own steps, where a policy goes by steps rather than by a figure, and what each leads to. */
export interface Ladder {
  name: string;
  steps: { label: string; leadsTo: string; isTaken: boolean }[];
}

/** S1-26: what each level of risk leads to. */
const RISK_STEPS = [
  ['low', 'dismiss'],
  ['medium', 'review'],
  ['high', 'act'],
] as const;
/** S4-23: what the status that the criteria come to leads to. */
const STATUS_STEPS = [
  ['NOT_MET', 'act'],
  ['UNCERTAIN', 'review'],
  ['MET', 'dismiss'],
] as const;

/** The steps of a verdict's policy with the one that was taken; null where it knows none. */
export function ladderOf({ settings, verdict }: Pick<ShownRun, 'settings' | 'verdict'>): Ladder | null {
  const { riskLevel, status } = verdict?.outcome ?? {};
  if (settings.policy === 'risk-level') return stepsOf('Risk level', RISK_STEPS, riskLevel);
  return settings.policy === 'combine-criteria' ? stepsOf('Criteria', STATUS_STEPS, status) : null;
}

function stepsOf(
  name: string,
  steps: readonly (readonly [label: string, leadsTo: string])[],
  taken: Json | undefined,
): Ladder | null {
  if (typeof taken !== 'string') return null;
  return {
    name,
    steps: steps.map(([label, leadsTo]) => ({
      ...{ leadsTo, isTaken: label === taken },
      label: label.replace('_', ' ').toLowerCase(),
    })),
  };
}

/**
 * The figures a verdict hangs on, each on its scale. Bounds come from what the run was frozen with, and are shown only
 * where they decided: where the figure is in the band that the verdict names.
 */
export function scalesOf({ verdict, settings }: Pick<ShownRun, 'settings' | 'verdict'>): Scale[] {
  if (verdict === null) return [];
  const { confidence, outcome } = verdict;
  const { score } = outcome;
  const scales: Scale[] = [];
  if (typeof score === 'number') {
    const scale = { name: 'Score', value: score, max: Math.max(100, score), text: String(score) };
    const bands = settings.policy === 'risk-level' ? HEURISTIC_BANDS : [];
    scales.push(withBands(scale, bands, outcome['riskLevel']));
  }
  // A message that nobody judged has no confidence to show.
  if (settings.policy === 'engage-probe-ignore' && outcome['scamDetected'] !== true && confidence === 0)
    return scales;
  const text = `${Math.round(confidence * 100)} %`;
  return [
    ...scales,
    confidenceScale({ name: 'Confidence', value: confidence, max: 1, text }, outcome, settings),
  ];
}

type Figure = Omit<Scale, 'bands'>;

function withBands(figure: Figure, bands: Scale['bands'], taken: Json | undefined): Scale {
  const scale = { ...figure, bands };
  return bandOf(scale) === taken ? scale : { ...figure, bands: [] };
}

function confidenceScale(figure: Figure, outcome: JsonObject, { policy, options }: RunSettings): Scale {
  switch (policy) {
    case 'engage-probe-ignore':
      // Of a message that is no scam, whatever the confidence, the answer is to leave it alone.
      return outcome['scamDetected'] === true
        ? withBands(figure, engageBands(outcome['mode'], options), outcome['action'])
        : { ...figure, bands: [] };
    case 'combine-criteria': {
      const from = options['abstainBelow'];
      const bands = [
        { from: 0, label: 'undecided' },
        ...(typeof from === 'number' ? [{ from, label: 'decided' }] : []),
      ];
      return withBands(figure, bands, outcome['status'] === 'UNCERTAIN' ? 'undecided' : 'decided');
    }
    default:
      return { ...figure, bands: [] };
  }
}

// The thresholds of the mode; without both of them nothing is known to be a bound.
function engageBands(mode: Json | undefined, options: JsonObject): Scale['bands'] {
  const name = mode === 'strict' ? 'strict' : 'normal';
  const [probe, engage] = [options[`${name}ProbeFrom`], options[`${name}EngageFrom`]];
  if (typeof probe !== 'number' || typeof engage !== 'number') return [];
  return [
    { from: 0, label: 'ignore' },
    { from: probe, label: 'probe' },
    { from: engage, label: 'engage' },
  ];
}

/** The band a value is in. */
export function bandOf({ bands, value }: Scale): string | null {
  return bands.findLast(({ from }) => value >= from)?.label ?? null;
}
