import type { Condition, ProcessState } from '@casefile/contracts';
import { running, serviceNames, type ConditionRule } from './condition-facts.js';

/**
 * Age in milliseconds from which a difference is reported. A younger one may be a restart, or a file that
 * other processes have not reloaded yet.
 */
const SETTLED_AFTER_MS = 10_000;

/** Service whose configuration is frozen into runs. The other services are compared with it. */
const REFERENCE = 'reasoner';

interface Difference {
  id: string;
  severity: Condition['severity'];
  /** Value to compare; null: this process is not compared. */
  of(process: ProcessState): string | null;
  text(others: string): string;
  effect: string;
  act: string;
}

const DIFFERENCES: readonly Difference[] = [
  {
    id: 'versions_differ',
    severity: 'warning',
    of: ({ version }) => version,
    text: (others) => `${others} runs another version of Casefile than the ${REFERENCE}`,
    effect: 'During an upgrade this is normal. Otherwise cases may be judged by two versions.',
    act: 'Deploy the same version of every service.',
  },
  {
    id: 'settings_differ',
    severity: 'warning',
    of: ({ settingsDigest }) => settingsDigest,
    text: (others) => `${others} has other settings or kinds of case than the ${REFERENCE}`,
    effect: 'Limits, budgets, lists of tools or rules of a kind differ between services.',
    act: 'Give every service the same files in CASEFILE_CONFIG and the same kinds in CASEFILE_KINDS, and restart those that differ.',
  },
  {
    id: 'models_differ',
    severity: 'error',
    of: ({ installationDigest }) => installationDigest,
    text: (others) => `${others} can ask other models, or has other prompts, than the ${REFERENCE}`,
    effect: 'A part of each case may be judged by rules although a model is configured.',
    act: 'Give reasoner, critic-writer and evidence-collector the same keys, LLM_ variables and prompts.',
  },
];

/** Services of one installation whose version, settings or models differ. */
export const servicesDiffer: ConditionRule = {
  ids: () => DIFFERENCES.map(({ id, severity }) => ({ id, severity })),
  reads: ['services'],
  holding: ({ processes, now }) => {
    const alive = running(processes).filter(
      ({ changedAt }) => now - Date.parse(changedAt) >= SETTLED_AFTER_MS,
    );
    return DIFFERENCES.flatMap((difference) => differenceConditions(difference, alive));
  },
};

function differenceConditions(
  { id, severity, of, text, effect, act }: Difference,
  alive: ProcessState[],
): Condition[] {
  const [reference] = alive.filter(({ services }) => services.includes(REFERENCE)).sort(newestFirst);
  if (reference === undefined) return [];
  const expected = of(reference);
  const others = alive.filter((one) => of(one) !== null && of(one) !== expected);
  if (others.length === 0) return [];
  const since =
    [...others, reference]
      .map(({ changedAt }) => changedAt)
      .sort()
      .at(-1) ?? null;
  const words = text(serviceNames(others));
  return [
    { id, severity, since, text: words.charAt(0).toUpperCase() + words.slice(1), effect, act, link: '/' },
  ];
}

function newestFirst(a: ProcessState, b: ProcessState): number {
  return a.startedAt < b.startedAt ? 1 : -1;
}
