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

/**
 * The change that parks a unit for want of budget: waiting does not help, a person has to look at it.
 * @returns null when that is not why the stage ended.
 */
export function parked(why: Later | unknown): Change | null {
  const { reasonCode } = isLater(why) ? why : asCasefileError(why);
  if (reasonCode !== 'budget_exhausted') return null;
  const message = isLater(why)
    ? 'No budget of this run has room for its next call.'
    : asCasefileError(why).message;
  return { kind: 'park', reasonCode, message };
}

function isLater(why: unknown): why is Later {
  return typeof why === 'object' && why !== null && (why as Later).kind === 'later';
}
