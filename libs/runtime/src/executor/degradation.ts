import {
  asCasefileError,
  type ArtifactName,
  type Change,
  type Later,
  type Outcome,
  reasonOf,
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

/** A wait that would end where it began becomes a parked run. */
export function parkedWait({ reasonCode }: Later): Change | null {
  const { of, final, words } = reasonOf(reasonCode);
  if (of !== 'money' && final !== true) return null;
  return { kind: 'park', reasonCode, message: `The next call of this run cannot be made: ${words}.` };
}

/** A failure for want of money parks the run: it is nobody's mistake, and trying again makes no room. */
export function parkedFailure(thrown: unknown): Change | null {
  const { reasonCode, message } = asCasefileError(thrown);
  return reasonOf(reasonCode).of !== 'money' ? null : { kind: 'park', reasonCode, message };
}
