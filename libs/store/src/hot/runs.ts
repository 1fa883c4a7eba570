import type { AcceptRequest, AcceptResult, OpenRunRequest, Runs, StageNudge } from '@casefile/contracts';
import type { AnswerWatch } from '../answer-watch.js';
import type { Database } from '../database.js';
import { backlogOf } from '../record/probes.js';
import type { WriteLane } from '../write-lane.js';
import { acceptAll, openRun } from './accept.js';

/** Accepted alerts and their runs in Postgres. */
export class PostgresRuns implements Runs {
  private readonly countBacklog: () => Promise<number>;

  constructor(
    private readonly database: Database,
    private readonly lane: WriteLane,
    /** Senders repeat an alert, so intake need not wait for a server that answers nothing. Workers wait. */
    private readonly watch: AnswerWatch,
  ) {
    this.countBacklog = backlogOf(database);
  }

  // Needs several round trips, so it is written alongside the lane and does not delay the flow.
  accept(request: AcceptRequest): Promise<AcceptResult> {
    return this.watch.within(() => this.lane.writeSeparately(acceptAll, request));
  }

  open(request: OpenRunRequest): Promise<{ runId: string; nudges: StageNudge[] }> {
    return openRun(this.database, request);
  }

  backlog(): Promise<number> {
    return this.watch.within(this.countBacklog);
  }
}
