import type { Verdict } from '@casefile/contracts';

/** A wrong verdict: what it costs, whom, and what the verdict therefore needs. */
interface Harm {
  /** Person who bears the harm. */
  whom: string;
  harm: string;
  needs: string;
}

/** Harms of wrong verdicts, per disposition. `docs/use/policy-check.md` shows them. */
export const HARMS: Readonly<Record<Verdict['disposition'], Harm>> = {
  dismiss: {
    whom: 'the insurer or employer who pays, and others who kept the policy',
    harm: 'A claim is approved that the policy refuses. No person sees it again.',
    needs:
      'Rules that reach `MET`, or an examination that supports the answer. No part of the answer is contradicted by the policy or the facts.',
  },
  act: {
    whom: 'the person who claims',
    harm: 'A rightful claim is declined. The person has to object, and may not.',
    needs:
      'Rules that reach `NOT_MET`, or an examination whose quote is about the same subject and quantity. No sentence of the policy may limit the rule. No part of the answer is contradicted.',
  },
  review: {
    whom: 'the reviewer, and the person who waits',
    harm: 'A plain case waits for a person.',
    needs: 'Nothing. It is the result if the other two lack what they need.',
  },
};
