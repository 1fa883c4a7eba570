import {
  degradedCauseOf,
  type DegradedCause,
  type EvaluatedRun,
  type ShownEvolutionDetail,
} from '@casefile/contracts';
import {
  OBJECTIVES,
  type CaseScore,
  type ObjectiveWeights,
  type EvolutionCandidate,
  type EvolutionState,
  type Objective,
} from './evolution-state.js';
import { Z_95, type Interval } from '../rollout/statistics.js';

/**
 * Returns the score of a run by the objectives, weighted over those that the run has:
 * - citations: verified of all cited;
 * - coherence: share of claims that the cross-examination answers `supports`;
 * - calibration: 1 - Brier score, with the label as outcome;
 * - status: 1 if the outcome agrees with the label.
 *
 * An answer that cannot be read, is refused or is not finished scores 0 for citations and status, even if rules judged
 * the case right. A run without a verdict has no score.
 */
export function scoreRun(run: EvaluatedRun, weights: ObjectiveWeights): CaseScore {
  const none = { citations: null, coherence: null, calibration: null, status: null };
  if (run.status !== 'decided' || run.outcome === null) return { score: null, parts: none };
  const { cited, supported, claims, confidence, right, fallback } = run;
  const isUnusable = fallback !== null && UNUSABLE.has(degradedCauseOf(fallback));
  const hit = right === null ? null : isUnusable || !right ? 0 : 1;
  const supports = claims.filter(({ answer }) => answer === 'supports').length;
  const parts = {
    citations: isUnusable ? 0 : cited === 0 ? null : supported / cited,
    coherence: claims.length === 0 ? null : supports / claims.length,
    calibration: hit === null || confidence === null ? null : 1 - (confidence - hit) ** 2,
    status: hit,
  };
  const known = OBJECTIVES.filter((one) => parts[one] !== null && weights[one] > 0);
  const total = known.reduce((sum, one) => sum + weights[one], 0);
  if (total === 0) return { score: null, parts };
  return { score: known.reduce((sum, one) => sum + weights[one] * parts[one]!, 0) / total, parts };
}

/** Causes for which a draft without a usable answer is due to the text: an outage or a budget is not among them. */
const UNUSABLE = new Set<DegradedCause | null>(['unreadable', 'refused', 'unfinished']);

/** Scores that differ by less are equal. */
export const EQUAL = 1e-9;

/** Share of cases without a verdict from which on a candidate is dropped. */
export const MOST_MISSED = 0.1;

/**
 * Returns the standard deviation of the difference between two scores of the live text on one case: the noise of an
 * evaluation. 0: fewer than two cases were scored twice.
 */
export function evaluationNoise({
  candidates,
  repeats,
}: Pick<EvolutionState, 'candidates' | 'repeats'>): number {
  const differences = Object.entries(repeats).flatMap(([id, { score }]) => {
    const first = candidates[0]?.scores[id]?.score ?? null;
    return first === null || score === null ? [] : [score - first];
  });
  if (differences.length < 2) return 0;
  // The expected difference of equal texts is 0, so it is not estimated.
  return Math.sqrt(mean(differences.map((one) => one ** 2)));
}

/** Returns the mean score on cases, without those that have no verdict. null: none has a verdict. */
export function meanScore({ scores }: EvolutionCandidate, cases: readonly string[]): number | null {
  const known = cases.flatMap((id) => scores[id]?.score ?? []);
  return known.length === 0 ? null : mean(known);
}

/**
 * Returns the index of the best kept candidate on the validation cases. 0: no candidate exceeds the live text by more
 * than the noise.
 */
export function bestCandidate(state: EvolutionState): number {
  const { validation } = state.plan;
  const margin = evaluationNoise(state) / Math.sqrt(validation.length) + EQUAL;
  const live = meanScore(state.candidates[0]!, validation) ?? 0;
  let best = 0;
  let reached = live + margin;
  for (const index of fullyScored(state)) {
    const score = meanScore(state.candidates[index]!, validation) ?? 0;
    if (score > reached) [best, reached] = [index, score];
  }
  return best;
}

/**
 * Returns how many validation cases each candidate of the Pareto front wins, by its index. A candidate that wins no
 * case without another one is left out.
 */
export function paretoWins(state: EvolutionState): Map<number, number> {
  const { validation } = state.plan;
  const all = fullyScored(state);
  const scoreOn = (index: number, id: string): number => state.candidates[index]!.scores[id]?.score ?? -1;
  const winners = validation.map((id) => {
    const most = Math.max(...all.map((index) => scoreOn(index, id)));
    return all.filter((index) => scoreOn(index, id) >= most - EQUAL);
  });
  const byScore = [...all].sort(
    (a, b) =>
      (meanScore(state.candidates[a]!, validation) ?? 0) -
        (meanScore(state.candidates[b]!, validation) ?? 0) || b - a,
  );
  const front = new Set(all);
  for (const index of byScore) {
    const isCovered = winners.every(
      (ones) => !ones.includes(index) || ones.some((one) => one !== index && front.has(one)),
    );
    if (isCovered && front.size > 1) front.delete(index);
  }
  const wins = [...front].map((index): [number, number] => [
    index,
    winners.filter((ones) => ones.includes(index)).length,
  ]);
  return new Map(wins.filter(([, count]) => count > 0));
}

function fullyScored({ candidates, plan }: EvolutionState): number[] {
  return [...candidates.keys()].filter(
    (index) => candidates[index]!.state === 'kept' && isKnown(candidates[index]!, plan.validation),
  );
}

export function isKnown({ scores }: EvolutionCandidate, cases: readonly string[]): boolean {
  return cases.every((id) => Object.hasOwn(scores, id));
}

export function missedShare({ scores }: EvolutionCandidate, cases: readonly string[]): number {
  return cases.filter((id) => scores[id]?.score === null).length / Math.max(1, cases.length);
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);

/** Report of an evolution that is done. */
export type EvolutionReport = NonNullable<ShownEvolutionDetail['report']>;
type ObjectiveComparison = EvolutionReport['heldOut'][number];

/**
 * Returns the report of an evolution. It improved if the 95 % interval of the difference in score on the held-out cases
 * is above 0.
 */
export function evolutionReport(state: EvolutionState): EvolutionReport {
  const best = bestCandidate(state);
  const validation = compareSets(state, best, state.plan.validation);
  const heldOut = best === 0 ? [] : compareSets(state, best, state.plan.heldOut);
  const score = heldOut.find(({ objective }) => objective === 'score');
  const isAbove = (score?.interval?.low ?? 0) > 0;
  return {
    result: best === 0 ? 'no_improvement_on_validation' : isAbove ? 'improved' : 'no_improvement_on_held_out',
    best,
    noise: evaluationNoise(state),
    validation,
    heldOut,
  };
}

function compareSets(state: EvolutionState, best: number, cases: readonly string[]): ObjectiveComparison[] {
  const [live, candidate] = [state.candidates[0]!.scores, state.candidates[best]!.scores];
  return (['score', ...OBJECTIVES] as const).map((objective) => {
    const pairs = cases.flatMap((id) => {
      const [before, now] = [valueOf(live[id], objective), valueOf(candidate[id], objective)];
      return before === null || now === null ? [] : [{ before, now }];
    });
    const differences = pairs.map(({ before, now }) => now - before);
    return {
      objective,
      cases: pairs.length,
      live: meanOrNull(pairs.map(({ before }) => before)),
      candidate: meanOrNull(pairs.map(({ now }) => now)),
      difference: meanOrNull(differences),
      interval: pairedInterval(differences),
    };
  });
}

function valueOf(scored: CaseScore | undefined, objective: 'score' | Objective): number | null {
  if (scored === undefined) return null;
  return objective === 'score' ? scored.score : scored.parts[objective];
}

const meanOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : mean(values));

/** Returns the 95 % interval of the mean of paired differences by Student's t. null: fewer than two pairs. */
export function pairedInterval(differences: readonly number[]): Interval | null {
  const n = differences.length;
  if (n < 2) return null;
  const center = mean(differences);
  const variance = differences.reduce((sum, one) => sum + (one - center) ** 2, 0) / (n - 1);
  const half = tQuantile95(n - 1) * Math.sqrt(variance / n);
  return { low: center - half, high: center + half };
}

/** Exact values for few degrees of freedom, where the series is not good enough. Source: Student's t, 0.975. */
const FEW = [12.706, 4.303, 3.182, 2.776, 2.571];

/**
 * Returns the 97.5 % quantile of Student's t with `df` degrees of freedom, to 0.002. Source: Cornish-Fisher series,
 * Abramowitz and Stegun 26.7.5.
 */
function tQuantile95(df: number): number {
  const exact = FEW[df - 1];
  if (exact !== undefined) return exact;
  const z = Z_95;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / df + second / df ** 2 + third / df ** 3;
}
