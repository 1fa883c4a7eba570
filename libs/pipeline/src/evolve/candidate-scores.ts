import type { EvolutionCandidate, EvolutionState } from './evolution-state.js';

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
