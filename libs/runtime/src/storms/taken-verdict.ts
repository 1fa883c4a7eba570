import {
  STORM_HOLD_MS,
  verdictSchema,
  type CaseStore,
  type ClaimedWork,
  type Clock,
  type Verdict,
} from '@casefile/contracts';

/** Interval in which a member without a decision is checked again, in milliseconds. */
const CHECK_MS = 30_000;

/**
 * Returns the verdict that the run of a storm's member takes, or the time after which it is checked again; null: the run
 * judges its alert. A member about which nothing was decided in time judges its alert too.
 */
export async function takenVerdict(
  { store, clock }: { store: Pick<CaseStore, 'storms'>; clock: Pick<Clock, 'now'> },
  { settings, lease }: ClaimedWork,
): Promise<Verdict | { waitMs: number } | null> {
  const { storm, recorded } = settings;
  if (storm?.role !== 'member') return null;
  // A replay repeats the decision about the run that it replays.
  const decision = await store.storms.decisionOn(recorded?.run ?? lease.runId);
  if (decision === null || decision.state === 'alone') return null;
  if (decision.state === 'waiting') return decision.waitedMs < STORM_HOLD_MS ? { waitMs: CHECK_MS } : null;
  const { caseId, runId, body } = decision;
  const { promptIds: _, experiment: __, storm: ___, ...verdict } = verdictSchema.parse(body);
  return {
    ...verdict,
    // Its evidence is on the record of the other case.
    citations: [],
    reasons: [`The alert belongs to a storm. Its verdict is that of case ${caseId}.`, ...verdict.reasons],
    decidedAt: new Date(clock.now()).toISOString(),
    storm: { caseId, runId },
  };
}
