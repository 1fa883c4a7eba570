import type { ArtifactName } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import { nothingBefore, type ClaimedWork, type ClaimRequest } from '../ports/units.js';
import { toStored } from '../storable.js';
import { moveNext, type Move } from './move.js';

/** The inputs that a stage declares. */
type Reads = Pick<ClaimRequest, 'readsAlert' | 'reads' | 'readsPrevious' | 'joins'> & { name: string };

/**
 * Returns the input of the next stage without a claim. null: the stage must be claimed, because units were
 * opened, a round begins, or it reads data that this worker does not have.
 * @param knownArtifacts artifacts of the run that this worker has read or appended. The artifact of `move` is
 * added.
 */
export function nextInput(
  next: Reads,
  work: ClaimedWork,
  move: Move,
  knownArtifacts: Map<ArtifactName, JsonObject>,
): ClaimedWork | null {
  const { artifact } = move;
  const at = moveNext(move);
  if (artifact === undefined || at?.stage !== next.name || at.round !== work.lease.round) return null;
  if (next.readsAlert && work.alert === null) return null;
  if (next.readsPrevious.length > 0 && at.round > 1) return null;
  const isWhole = work.lease.unit === '' && work.units.every(({ unit }) => unit === '');
  if (next.joins && !isWhole) return null;
  // Uses the form that the record returns, so that the stage gets the same input after a crash.
  knownArtifacts.set(artifact.name, toStored(artifact.body));
  const read = next.reads.map((name) => [name, knownArtifacts.get(name)] as const);
  if (read.some(([, body]) => body === undefined)) return null;
  const artifacts = Object.fromEntries(read);
  return {
    ...work,
    lease: { ...work.lease, stage: next.name },
    ...nothingBefore(),
    artifacts,
    units: next.joins ? [{ unit: '', artifacts }] : [],
  };
}
