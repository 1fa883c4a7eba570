import {
  asCasefileError,
  type ArtifactName,
  type Change,
  type Later,
  type Outcome,
} from '@casefile/contracts';

/** Artifacts that carry how they came about. */
const WITH_REMARKS: readonly ArtifactName[] = ['draft', 'review'];

/** The outcome, with the journal's remarks on what it appends: the verdict will say that it is degraded, and why. */
export function asMeant(
  appends: ArtifactName,
  outcome: Outcome<unknown>,
  remarks: ReadonlySet<string>,
): Outcome<unknown> {
  if (!('artifact' in outcome) || remarks.size === 0 || !WITH_REMARKS.includes(appends)) return outcome;
  const artifact = outcome.artifact as { remarks?: string[] };
  return {
    ...outcome,
    artifact: { ...artifact, remarks: [...new Set([...(artifact.remarks ?? []), ...remarks])] },
  };
}

/** Why money is in the way of a call; nothing but a person or another day makes room. */
const FOR_WANT_OF_MONEY: Record<string, string> = {
  budget_exhausted: 'No budget of this run has room for its next call.',
  unknown_price: 'A budget counts money, and the price of the model is not known.',
};
/** What the provider will say again to the same question, each time at a price. */
const SAID_AGAIN: Record<string, string> = {
  bad_request: 'The provider does not take the question of this run.',
  refused: 'The model refuses to answer the question of this run.',
  too_large: 'The answers to the question of this run are too large.',
};

/** A wait that would end where it began becomes a parked run. */
export function parkedWait({ reasonCode }: Later): Change | null {
  const message = FOR_WANT_OF_MONEY[reasonCode] ?? SAID_AGAIN[reasonCode];
  return message === undefined ? null : { kind: 'park', reasonCode, message };
}

/** A failure for want of money parks the run: it is nobody's mistake, and trying again makes no room. */
export function parkedFailure(thrown: unknown): Change | null {
  const { reasonCode, message } = asCasefileError(thrown);
  return FOR_WANT_OF_MONEY[reasonCode] === undefined ? null : { kind: 'park', reasonCode, message };
}
