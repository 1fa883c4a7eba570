import {
  cachedFor,
  CasefileError,
  withTimeout,
  type Logger,
  type ReadReplica,
  type ReplicaState,
} from '@casefile/contracts';
import type { Database } from './database.js';
import type { Queryable } from './statement.js';

/** Age in ms up to which a state is used again. */
const STATE_MAX_AGE_MS = 5_000;
/** Longest wait for the times of both servers, in ms: a list waits for it. */
const STATE_WITHIN_MS = 2_000;
/** Lag in ms from which the primary is read: older lists would mislead people who work on them. */
export const MOST_LAG_MS = 30_000;

// Each process of the installation writes this every 3 s. Both servers have the times of the primary.
const NEWEST = 'select max(seen_at) as at from processes';
/** Of a standby that had to cancel a query to replay a change. */
const RECOVERY_CONFLICT = '40001';

/** Reads from a replica, and from the primary while the replica does not answer or is too far behind. */
export class ReplicaReads implements Queryable, ReadReplica {
  readonly state: () => Promise<ReplicaState>;
  private lastReason: string | null = null;

  constructor(
    private readonly replica: Database,
    private readonly primary: Database,
    private readonly log: Logger,
  ) {
    this.state = cachedFor(STATE_MAX_AGE_MS, () => this.measure());
  }

  async rows<R extends object>(text: string, params: unknown[] = []): Promise<R[]> {
    if ((await this.state()).unusedBecause !== null) return this.primary.rows<R>(text, params);
    try {
      return await this.replica.rows<R>(text, params);
    } catch (error) {
      if (!isOfServer(error)) throw error;
      return this.primary.rows<R>(text, params);
    }
  }

  private async measure(): Promise<ReplicaState> {
    const [there, here] = await Promise.allSettled([newest(this.replica), newest(this.primary)]);
    // Without the primary, the replica has the newest state that can be read.
    const isKnown = there.status === 'fulfilled' && here.status === 'fulfilled';
    const lagMs = isKnown ? Math.max(0, here.value - there.value) : null;
    const unusedBecause = there.status === 'rejected' ? messageOf(there.reason) : lateness(lagMs ?? 0);
    if (unusedBecause !== this.lastReason) this.note(unusedBecause);
    this.lastReason = unusedBecause;
    return { lagMs, unusedBecause };
  }

  private note(why: string | null): void {
    if (why === null) this.log.info({}, 'the replica is read again');
    else this.log.warn({ why }, 'the primary is read in place of the replica');
  }
}

const lateness = (lagMs: number): string | null =>
  lagMs > MOST_LAG_MS ? `it is ${Math.round(lagMs / 1_000)} s behind` : null;

/** Returns the newest time that a process wrote, in milliseconds; 0: none has. */
async function newest(database: Database): Promise<number> {
  const whenOver = () => new CasefileError('store_unreachable', `no answer within ${STATE_WITHIN_MS} ms`);
  const read = () => database.rows<{ at: Date | null }>(NEWEST);
  const [row] = await withTimeout(STATE_WITHIN_MS, new AbortController().signal, read, { whenOver });
  return row?.at?.getTime() ?? 0;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns whether the server failed, and not the statement. */
function isOfServer(error: unknown): boolean {
  if (!(error instanceof CasefileError)) return false;
  return error.reasonCode === 'store_unreachable' || error.details?.['sqlState'] === RECOVERY_CONFLICT;
}
