/**
 * Weights of contradictions. An answer whose contradictions reach `contradictedFrom` is not accepted.
 * `rules`: the rules conclude the opposite from the same evidence. `interval`: the time between two cited dates breaks the
 * period in the quoted sentence.
 * `claim_*`: a part of the answer is contradicted by the words that it cites, by another section, or by the facts.
 */
const WEIGHTS = {
  rules: 1,
  interval: 1,
  claim_subject: 1,
  claim_quantity: 1,
  claim_time: 1,
  claim_state: 1,
  claim_scope: 1,
  claim_modality: 1,
  claim_order: 1,
  claim_comparison: 1,
  claim_clause: 1,
} as const;
export type ContradictedBy = keyof typeof WEIGHTS;

/** Returns the weight of a finding by its code (`contradicts_rules`); 0: the finding is of another kind. */
export function codeWeight(code: string): number {
  const by = code.replace(/^contradicts_/, '');
  return Object.hasOwn(WEIGHTS, by) ? WEIGHTS[by as ContradictedBy] : 0;
}
