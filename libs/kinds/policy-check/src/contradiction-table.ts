/**
 * Weights of contradictions. An answer whose contradictions reach `contradictedFrom` is not accepted.
 * `rules`: the rules conclude the opposite from the same evidence. `limit`, `interval`, `order`: a figure or
 * date of the cited facts breaks the limit in the quoted sentence. `left_out`: the quote omits the limit of
 * its own sentence. `condition`: it omits a condition. `other_subject`: no quoted section shares a word with
 * the criterion or its facts. `exception`: the quoted part applies to a special case that no fact names.
 */
const WEIGHTS = {
  rules: 1,
  limit: 1,
  interval: 1,
  order: 1,
  left_out: 1,
  condition: 0.5,
  other_subject: 0.5,
  exception: 1,
} as const;
export type ContradictedBy = keyof typeof WEIGHTS;

/** Returns the weight of a finding by its code (`contradicts_rules`); 0: the finding is of another kind. */
export function codeWeight(code: string): number {
  const by = code.replace(/^contradicts_/, '');
  return Object.hasOwn(WEIGHTS, by) ? WEIGHTS[by as ContradictedBy] : 0;
}
