import type { Harms } from '@casefile/pipeline/harms';

/** Harms of wrong verdicts. `docs/reference/shipped-kinds.md` shows them. */
export const HARMS: Harms = {
  act: {
    costs: 'A rightful claim is declined. The person has to object, and may not.',
    whom: 'the person who claims',
    needs:
      'Rules that reach `NOT_MET`, or an examination whose quote is about the same subject and quantity. No sentence of the policy may limit the rule. No part of the answer is contradicted.',
  },
  review: {
    costs: 'A plain case waits for a person.',
    whom: 'the reviewer, and the person who waits',
    needs: 'Nothing. It is the result if the others lack what they need.',
  },
  dismiss: {
    costs: 'A claim is approved that the policy refuses. No person sees it again.',
    whom: 'the insurer or employer who pays, and others who kept the policy',
    needs:
      'Rules that reach `MET`, or an examination that supports the answer. No part of the answer is contradicted by the policy or the facts.',
  },
};
