import { moves, type CaseStore, type Ids } from '@casefile/contracts';
import { aClaimRequest, anAcceptRequest } from '@casefile/contracts/testing';

/** Creates a run on this record whose first stage waits for calls. */
export async function waitingRun(
  store: CaseStore,
  ids: Ids,
  wait: Parameters<typeof moves.suspendUnit>[1],
): Promise<{ caseId: string; runId: string }> {
  const accepted = await store.runs.accept(anAcceptRequest(ids));
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  const claim = await store.units.claim(aClaimRequest(accepted.runId));
  if (claim.kind !== 'claimed') throw new Error(claim.reason);
  const { lease } = claim.work;
  const move = moves.suspendUnit(lease, wait);
  await store.units.commit({ lease, move, results: [], inlineToolCalls: [], events: [] });
  return accepted;
}
