import type {
  ComparedRun,
  Comparison,
  DifferingCase,
  ExperimentEntry,
  ExperimentRun,
  ExperimentRuns,
} from '@casefile/contracts';
import { agreementOf, figuresFor, isDecided, isUnderWay, outcomeOf, rateOf } from './arm-figures.js';
import { promotion, type LabelledCounts, type Promotion } from './promotion.js';
import {
  newcombe,
  newcombePaired,
  ratioCheckedAt,
  SAMPLE_RATIO_P,
  sampleRatioP,
  type Interval,
  type PairedCounts,
  type Proportion,
} from './statistics.js';

/** Maximum number of differing cases that a comparison lists. */
const MOST_DIFFERING = 200;
/** Share of missing shadow runs above which the comparison may not represent all cases. */
const MOST_MISSING = 0.02;

export type ComparedExperiment = Pick<
  ExperimentEntry,
  'mode' | 'arms' | 'share' | 'margin' | 'expectedCases'
>;

/** Two verdicts on one case. */
interface Pair {
  control: ComparedRun;
  changed: ComparedRun;
}

/** Compares the arms of an experiment and applies the promotion rule. */
export function compareArms(experiment: ComparedExperiment, recorded: ExperimentRuns): Comparison {
  return experiment.mode === 'shadow'
    ? compareShadow(experiment, recorded)
    : compareShares(experiment, recorded);
}

function compareShadow(
  { arms: [control, changed], margin, expectedCases }: ComparedExperiment,
  { runs, unopened }: ExperimentRuns,
): Comparison {
  // An A/A experiment also has two arms with different names.
  const ofArm = (name: string | undefined) => oncePerCase(runs.filter(({ arm }) => arm === name));
  const shadow = ofArm(changed?.name);
  const pairs = pairsOf(shadow);
  const missing = missingRuns(shadow, unopened);
  const labelled = pairs.filter((pair) => pair.control.right !== null && pair.changed.right !== null);
  const counts = pairedCounts(labelled);
  const discordant = labelled.filter(differ).length;
  const result = promotion({ mode: 'shadow', pairs: counts, discordant }, { margin, expectedCases });
  const isComparable = missing.x <= MOST_MISSING * missing.n;
  const differing = pairs.filter(differ).map(differingCase);
  const controls = pairs.map((pair) => pair.control);
  return {
    ...shownFinding(result, {
      cases: pairs.length,
      isComparable,
      differing: differing.length,
      isPaired: true,
    }),
    difference: differenceOf(result, newcombePaired(counts)),
    arms: [figuresFor(control?.name ?? '', controls), figuresFor(changed?.name ?? '', shadow)],
    agreement: agreements(pairs),
    noise: agreements(pairsOf(ofArm(control?.name))),
    missing,
    underWay: runs.filter(isUnderWay).length,
    sampleRatio: null,
    differing: differing.sort(labelledFirst).slice(0, MOST_DIFFERING),
    differingTotal: differing.length,
  };
}

function compareShares(
  { arms: [control, changed], share, margin, expectedCases }: ComparedExperiment,
  { runs, sameShareSince }: ExperimentRuns,
): Comparison {
  const cases = oncePerCase(runs);
  const [old, fresh] = [control, changed].map((arm) => cases.filter((run) => run.arm === arm?.name));
  const [a, b] = [labelledRight(fresh ?? []), labelledRight(old ?? [])];
  const counts: LabelledCounts = { mode: 'ab', fresh: a, old: b };
  const result = promotion(counts, { margin, expectedCases });
  const since = cases.filter(({ createdAt }) => sameShareSince === null || createdAt >= sameShareSince);
  const sampleRatio = ratioOf(since, [control?.name, changed?.name], share);
  const decided = cases.filter(isDecided).length;
  const at = { cases: decided, isComparable: sampleRatio.fits, differing: 0, isPaired: false };
  return {
    ...shownFinding(result, at),
    difference: differenceOf(result, newcombe(a, b)),
    arms: [figuresFor(control?.name ?? '', old ?? []), figuresFor(changed?.name ?? '', fresh ?? [])],
    agreement: null,
    noise: null,
    missing: { ...rateOf(0, 0), reasons: [] },
    underWay: cases.filter(isUnderWay).length,
    sampleRatio,
    differing: [],
    differingTotal: 0,
  };
}

/** Returns the first run of each case, because later runs of a case depend on it. */
function oncePerCase(runs: readonly ExperimentRun[]): ExperimentRun[] {
  const first = new Map<string, ExperimentRun>();
  for (const run of runs) if (!first.has(run.caseId)) first.set(run.caseId, run);
  return [...first.values()];
}

function pairsOf(runs: readonly ExperimentRun[]): Pair[] {
  return runs.flatMap((changed) =>
    changed.base !== null && isDecided(changed) && isDecided(changed.base)
      ? [{ control: changed.base, changed }]
      : [],
  );
}

const differ = ({ control, changed }: Pair): boolean =>
  outcomeOf(control) !== outcomeOf(changed) || control.disposition !== changed.disposition;

function agreements(pairs: readonly Pair[]): NonNullable<Comparison['agreement']> {
  const by = (label: (run: ComparedRun) => string) =>
    agreementOf(pairs.map(({ control, changed }) => ({ a: label(control), b: label(changed) })));
  return { outcome: by(outcomeOf), disposition: by(({ disposition }) => disposition ?? 'none') };
}

function missingRuns(
  shadow: readonly ExperimentRun[],
  unopened: ExperimentRuns['unopened'],
): Comparison['missing'] {
  const ended = shadow.filter((run) => !isUnderWay(run));
  const reasons = new Map(unopened.map(({ reason, cases }) => [reason, cases]));
  const before = unopened.reduce((sum, { cases }) => sum + cases, 0);
  for (const run of ended)
    if (!isDecided(run)) {
      const reason = run.reasonCode ?? run.status;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  const x = [...reasons.values()].reduce((sum, cases) => sum + cases, 0);
  return {
    ...rateOf(x, ended.length + before),
    reasons: [...reasons]
      .map(([reason, cases]) => ({ reason, cases }))
      .sort((one, two) => two.cases - one.cases),
  };
}

/** Counts pairs by which arm is right. `A` is the new arm. */
function pairedCounts(labelled: readonly Pair[]): PairedCounts {
  const count = (a: boolean, b: boolean) =>
    labelled.filter(({ control, changed }) => changed.right === a && control.right === b).length;
  return {
    both: count(true, true),
    onlyA: count(true, false),
    onlyB: count(false, true),
    neither: count(false, false),
  };
}

function labelledRight(runs: readonly ComparedRun[]): Proportion {
  const labelled = runs.filter(({ right }) => right !== null);
  return { x: labelled.filter(({ right }) => right === true).length, n: labelled.length };
}

// The ratio is checked each time the count doubles, so that frequent reads do not cause false alarms.
function ratioOf(
  runs: readonly ExperimentRun[],
  arms: readonly (string | undefined)[],
  expected: number,
): NonNullable<Comparison['sampleRatio']> {
  const countsOf = (some: readonly ExperimentRun[]) =>
    arms.map((name) => some.filter(({ arm }) => arm === name).length);
  const checkedAt = ratioCheckedAt(runs.length);
  const p =
    checkedAt === null ? null : sampleRatioP(countsOf(runs.slice(0, checkedAt)), [1 - expected, expected]);
  return { expected, cases: countsOf(runs), checkedAt, p, fits: p === null || p >= SAMPLE_RATIO_P };
}

function differingCase({ control, changed }: Pair): DifferingCase {
  const shown = ({ disposition, action, confidence }: ComparedRun) => ({
    disposition: disposition ?? 'none',
    action,
    confidence,
  });
  const isLabelled = control.right !== null && changed.right !== null;
  const right = changed.right
    ? control.right
      ? ('both' as const)
      : ('changed' as const)
    : control.right
      ? ('control' as const)
      : ('neither' as const);
  return {
    caseId: changed.caseId,
    controlRunId: control.runId,
    runId: changed.runId,
    control: shown(control),
    changed: shown(changed),
    right: isLabelled ? right : null,
  };
}

// Sort order: the worst first, which are cases that only the control judges right.
const ORDER = ['control', 'changed', 'neither', 'both'];
const labelledFirst = (one: DifferingCase, two: DifferingCase): number => place(one) - place(two);
const place = ({ right }: DifferingCase): number => (right === null ? ORDER.length : ORDER.indexOf(right));

function differenceOf({ sequence }: Promotion, { low, high }: Interval): Comparison['difference'] {
  return {
    reviewed: sequence.n,
    value: sequence.difference,
    low: Math.max(-1, sequence.low),
    high: Math.min(1, sequence.high),
    newcombeLow: low,
    newcombeHigh: high,
  };
}

interface Counted {
  cases: number;
  isComparable: boolean;
  differing: number;
  isPaired: boolean;
}

function shownFinding(
  { finding, moreCases }: Promotion,
  counted: Counted,
): Pick<Comparison, 'finding' | 'moreCases' | 'sentence'> {
  const { cases, isComparable } = counted;
  if (cases === 0 && isComparable)
    return { finding: 'running', moreCases, sentence: 'No case has ended in both arms yet.' };
  const shown = isComparable ? finding : 'not_comparable';
  const sentence = [countsInWords(counted), SENTENCES[shown](moreCases)].join(' ');
  return { finding: shown, moreCases: isComparable ? moreCases : 0, sentence };
}

function countsInWords({ cases, differing, isPaired }: Counted): string {
  if (!isPaired) return `${cases} cases are decided.`;
  if (differing === 0) return `No difference: both arms decided all ${cases} cases alike.`;
  return `The arms decided ${differing} of ${cases} cases differently.`;
}

const SENTENCES: Record<Comparison['finding'], (moreCases: number) => string> = {
  running: () => '',
  not_enough: (n) => `Not enough reviewed cases: about ${n} more are needed.`,
  at_least_as_good: () => 'By the feedback of people, the new arm is at least as good as the control.',
  worse: () => 'By the feedback of people, the new arm is worse than the control.',
  inconclusive: () => 'Twice the expected count of cases was reviewed without a result.',
  not_comparable: () =>
    'The arms are not comparable: more than 2 % of the shadow runs are missing, or the counts of the arms do not fit the share.',
};
