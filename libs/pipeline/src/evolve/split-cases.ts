import { InvalidInput, seededRandom } from '@casefile/contracts';
import { shuffled } from './gepa.js';

/** Fewest labelled cases of an evolution. */
export const LEAST_LABELLED = 20;

/** A case whose outcome people have labelled. */
export interface LabelledCase {
  caseId: string;
  /** Text that is equal for equal labels. */
  label: string;
}

/** Sets of the cases in turn: 40 % train, 30 % validation, 30 % held-out. */
const TURNS = [
  'train',
  'validation',
  'heldOut',
  'train',
  'validation',
  'heldOut',
  'train',
  'validation',
  'heldOut',
  'train',
] as const;

/**
 * Splits labelled cases into three sets that have no case in common, with the labels spread evenly over them.
 * @throws InvalidInput that names the number of missing labels.
 */
export function splitCases(
  cases: readonly LabelledCase[],
  seed: number,
): Record<(typeof TURNS)[number], string[]> {
  const known = new Map(cases.map((one) => [one.caseId, one]));
  if (known.size < LEAST_LABELLED)
    throw new InvalidInput([
      {
        path: 'from',
        message: `expected at least ${LEAST_LABELLED} labelled cases, found ${known.size}: ${LEAST_LABELLED - known.size} are missing`,
      },
    ]);
  const sorted = [...known.values()].sort((a, b) => (a.caseId < b.caseId ? -1 : 1));
  const labels = [...new Set(sorted.map(({ label }) => label))].sort();
  const random = seededRandom(seed);
  const byLabel = labels.flatMap((label) =>
    shuffled(
      sorted.filter((one) => one.label === label),
      random,
    ),
  );
  const split = { train: [], validation: [], heldOut: [] } as Record<(typeof TURNS)[number], string[]>;
  for (const [i, { caseId }] of byLabel.entries()) split[TURNS[i % TURNS.length]!].push(caseId);
  return split;
}
