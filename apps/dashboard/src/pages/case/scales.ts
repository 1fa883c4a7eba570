import type { Json, JsonObject, ShownRun, Verdict } from '@casefile/contracts';

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
/** S3, table of the decision: bounds of the confidence in each mode. */
const ENGAGE_BANDS = { normal: [0.5, 0.7], strict: [0.7, 0.85] } as const;

/** S4-22: below this a criterion is left undecided, unless the run's settings name another bound. */
const ABSTAIN_BELOW = 0.65;

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

/** The figures a verdict hangs on, each on its scale; the confidence is always one of them. */
export function scalesOf(run: Pick<ShownRun, 'settings' | 'verdict'>): Scale[] {
  const { verdict, settings } = run;
  if (verdict === null) return [];
  const score = verdict.outcome['score'];
  const scales: Scale[] = [];
  if (typeof score === 'number') scales.push(scoreScale(score, settings.policy, settings.options));
  return [...scales, confidenceScale(verdict, settings.policy, settings.options)];
}

function scoreScale(score: number, policy: string, options: JsonObject): Scale {
  const bands = policy === 'risk-level' ? HEURISTIC_BANDS : bandsIn(options, 'score', 1, 100);
  return { name: 'Score', value: score, max: Math.max(100, score), bands, text: String(score) };
}

function confidenceScale({ confidence, outcome }: Verdict, policy: string, options: JsonObject): Scale {
  const bands =
    policy === 'engage-probe-ignore'
      ? engageBands(outcome['mode'])
      : policy === 'combine-criteria'
        ? answerBands(options['abstainBelow'])
        : bandsIn(options, 'confidence', 0, 1);
  return { name: 'Confidence', value: confidence, max: 1, bands, text: `${Math.round(confidence * 100)} %` };
}

function answerBands(abstainBelow: Json | undefined): Scale['bands'] {
  return [
    { from: 0, label: 'undecided' },
    { from: typeof abstainBelow === 'number' ? abstainBelow : ABSTAIN_BELOW, label: 'decided' },
  ];
}

function engageBands(mode: Json | undefined): Scale['bands'] {
  const [probe, engage] = ENGAGE_BANDS[mode === 'strict' ? 'strict' : 'normal'];
  return [
    { from: 0, label: 'ignore' },
    { from: probe, label: 'probe' },
    { from: engage, label: 'engage' },
  ];
}

const BOUND_NAMES = /threshold|minimum|below|from|confidence|min[A-Z]/;

// Bounds that the run's settings name for a figure, whatever the playbook calls them.
function bandsIn(options: JsonObject, figure: string, least: number, most: number): Scale['bands'] {
  const bounds = numbersIn(options, '')
    .filter(
      ({ name, value }) => BOUND_NAMES.test(name) && name.toLowerCase().includes(figure) && value > least,
    )
    .filter(({ value }) => value < most)
    .sort((a, b) => a.value - b.value);
  return bounds.length === 0
    ? []
    : [
        { from: 0, label: '' },
        ...bounds.map(({ name, value }) => ({ from: value, label: boundLabel(name, figure) })),
      ];
}

function numbersIn(value: Json, name: string): { name: string; value: number }[] {
  if (typeof value === 'number') return [{ name, value }];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    numbersIn(inner, name === '' ? key : `${name}.${key}`),
  );
}

// `thresholds.scorePageFrom` -> `page`: what the bound is of is said beside it.
function boundLabel(name: string, figure: string): string {
  const words = (name.split('.').at(-1) ?? name).split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  const said = new Set([figure, 'from', 'threshold']);
  return words.filter((word) => !said.has(word)).join(' ') || 'threshold';
}

/** The band a value is in. */
export function bandOf({ bands, value }: Scale): string | null {
  return bands.findLast(({ from }) => value >= from)?.label ?? null;
}
