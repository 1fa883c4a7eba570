import { Z_95, type Interval } from '../rollout/statistics.js';
import { OBJECTIVES, type CaseScore, type EvolutionState, type Objective } from './evolution-state.js';
import { bestCandidate, evaluationNoise } from './candidate-scores.js';

/** Comparison of the best candidate with the live text by one objective, over cases that both have. */
export interface ObjectiveComparison {
  objective: 'score' | Objective;
  cases: number;
  /** Means. null: no case. */
  live: number | null;
  candidate: number | null;
  difference: number | null;
  /** 95 % interval of the difference. null: fewer than two cases. */
  interval: Interval | null;
}

/** Report of an evolution that is done. */
export interface EvolutionReport {
  result: 'improved' | 'no_improvement_on_validation' | 'no_improvement_on_held_out';
  /** Index of the best candidate. 0: the live text. */
  best: number;
  /** Standard deviation of the difference between two scores of one text on one case. */
  noise: number;
  validation: ObjectiveComparison[];
  /** Empty: the held-out cases were not used. */
  heldOut: ObjectiveComparison[];
}

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

function valueOf(scored: CaseScore | undefined, objective: ObjectiveComparison['objective']): number | null {
  if (scored === undefined) return null;
  return objective === 'score' ? scored.score : scored.parts[objective];
}

const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;

/** Returns the 95 % interval of the mean of paired differences by Student's t. null: fewer than two pairs. */
export function pairedInterval(differences: readonly number[]): Interval | null {
  const n = differences.length;
  const mean = meanOrNull(differences);
  if (n < 2 || mean === null) return null;
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1);
  const half = tQuantile95(n - 1) * Math.sqrt(variance / n);
  return { low: mean - half, high: mean + half };
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
