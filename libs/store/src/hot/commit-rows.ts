import { randomUUID } from 'node:crypto';
import {
  CasefileError,
  type CommitRequest,
  type EndedStage,
  type Lease,
  type UnitMove,
} from '@casefile/contracts';
import { tableColumns } from '../columns.js';
import { isUuid, rowSet, type RowIn } from '../row-set.js';
import type { SESSIONS } from '../record/engagement-sessions.js';
import type { READS } from './journal-sql.js';
import {
  eventOfCall,
  inlineCallRow,
  inLockOrder,
  LEASE,
  resultRow,
  type CallRow,
  type EVENTS,
  type ResultRow,
} from './record-rows.js';

/** Maximum number of units that one job wakes. More would keep one process busy with one job for too long. */
const MOST_IN_A_JOB = 20;
/** Minimum number of units for which a job is divided. Jobs of fewer units cost more than an even division is worth. */
const LEAST_IN_A_JOB = 4;
/** Jobs into which the units of one write are divided, so that several instances get some of them. */
const JOBS_PER_WRITE = 4;

/** The change of each request's unit, with the lease that authorises it. */
export const MOVES = rowSet('request_rows', {
  ...LEASE,
  to_status: 'text',
  to_stage: 'text?',
  to_round: 'int?',
  resume_in_ms: 'float8?',
  held: 'boolean?',
  nudged: 'boolean?',
  keeps_counts: 'boolean?',
  failed: 'boolean?',
  ends_at: 'text?',
  /** The stage that ends. A worker that continued without a new claim ends a later stage than the lease's. */
  at_stage: 'text',
  /** Time in ms for which the next stage is claimed. null: it is due. */
  claim_ms: 'float8?',
  ...tableColumns('units', 'wait_step', 'wait_signal', 'reason_code', 'message'),
  open_units: 'int?',
  /** Id of the job that wakes the unit together with others of this batch. null: the unit has its own job. */
  ...tableColumns('units', 'shared_job'),
});
type MoveRow = RowIn<typeof MOVES>;

/** Artifacts that stages append. `ago_ms`: how long before this write the stage ended. */
export const ARTIFACTS = rowSet('artifact_rows', {
  i: 'int',
  ...tableColumns('artifacts', 'artifact', 'body'),
  ago_ms: 'float8?',
});

/** Tool calls that suspended units wait for. */
export const AWAITED_CALLS = rowSet('awaited_rows', {
  i: 'int',
  ...tableColumns('tool_calls', 'id', 'step', 'seq', 'tool', 'args'),
});

/** Questions to people. */
export const QUESTIONS = rowSet('question_rows', {
  i: 'int',
  ...tableColumns('signals', 'step', 'name', 'question', 'options', 'fallback'),
  timeout_ms: 'float8',
});

/** Units that begin at the next stage. */
export const OPENED = rowSet('opened_rows', { i: 'int', ...tableColumns('units', 'unit', 'stage', 'round') });

/** Ends of runs. */
export const ENDS = rowSet('end_rows', {
  i: 'int',
  ...tableColumns(
    'runs',
    'status',
    'reason_code',
    'message',
    'disposition',
    'action',
    'confidence',
    'degraded',
  ),
});

/** Verdicts to deliver. */
export const DELIVERIES = rowSet('delivery_rows', {
  i: 'int',
  ...tableColumns('deliveries', 'id'),
  /** Receivers would act as before, so the verdict counts as delivered. */
  is_unchanged: 'boolean?',
});

/** The rows that a batch of commits writes. `i` of a row is the number of its request. */
export class CommitRows {
  readonly moves: MoveRow[] = [];
  readonly artifacts: RowIn<typeof ARTIFACTS>[] = [];
  readonly results: ResultRow[] = [];
  readonly inlineCalls: CallRow[] = [];
  readonly reads: RowIn<typeof READS>[] = [];
  readonly awaitedCalls: RowIn<typeof AWAITED_CALLS>[] = [];
  readonly questions: RowIn<typeof QUESTIONS>[] = [];
  readonly opened: RowIn<typeof OPENED>[] = [];
  readonly ends: RowIn<typeof ENDS>[] = [];
  readonly deliveries: RowIn<typeof DELIVERIES>[] = [];
  readonly sessions: RowIn<typeof SESSIONS>[] = [];
  readonly events: RowIn<typeof EVENTS>[] = [];

  /** @throws CasefileError `bad_change` if `claimForMs` is set but the move has no next stage. */
  constructor(requests: CommitRequest[]) {
    requests.forEach((request, i) => this.add(request, i));
    inLockOrder(this.moves);
    shareJobs(this.moves);
  }

  private add(request: CommitRequest, i: number): void {
    const { lease, stage = lease.stage, move, earlier = [], claimForMs } = request;
    if (!isUuid(lease.runId)) return;
    earlier.forEach((ended, n) => {
      // Stages that ended within one tick of the worker's clock get times a microsecond apart, so that the
      // record keeps their order.
      const agoMs = ended.agoMs + (earlier.length - n) / 1000;
      this.addEnded(i, lease, ended.stage, ended, agoMs);
    });
    this.addEnded(i, lease, stage, request, 0);
    const { asks, end, delivery, calls = [], opens = [], effects = [] } = move;
    const unit = claimForMs === undefined ? move.unit : claimedMove(move.unit);
    this.moves.push({ i, ...lease, ...unit, atStage: stage, claimMs: claimForMs });
    for (const result of request.results) this.results.push(resultRow(i, result));
    for (const opened of opens) this.opened.push({ i, ...opened });
    for (const [seq, { id, tool, args }] of calls.entries())
      this.awaitedCalls.push({ i, id, step: awaitedStep(unit), seq, tool, args });
    if (asks !== undefined) this.questions.push({ i, ...asks });
    if (end !== undefined) this.ends.push({ i, ...end });
    if (delivery !== undefined) this.deliveries.push({ i, id: delivery, isUnchanged: move.isUnchanged });
    for (const session of effects) this.sessions.push({ i, ...session });
  }

  // The events of a request are in the order of their rows.
  private addEnded(
    i: number,
    { round, unit }: Lease,
    stage: string,
    ended: Pick<EndedStage, 'move' | 'inlineToolCalls' | 'answersRead' | 'events'>,
    agoMs: number,
  ): void {
    const { inlineToolCalls, answersRead = [], events } = ended;
    const { artifact, events: ends } = ended.move;
    if (artifact !== undefined)
      this.artifacts.push({ i, artifact: artifact.name, body: artifact.body, agoMs });
    for (const call of inlineToolCalls) this.inlineCalls.push({ ...inlineCallRow(i, call), stage });
    for (const read of answersRead) this.reads.push({ i, ...read, stage, agoMs });
    const ofCalls = inlineToolCalls.map((call) => eventOfCall({ stage, round, unit }, call));
    for (const event of [...ofCalls, ...events, ...ends])
      this.events.push({ i, n: this.events.length, ...event, agoMs });
  }
}

function awaitedStep({ waitStep }: UnitMove): number {
  if (waitStep === undefined) throw new CasefileError('bad_change', 'the unit waits for no step');
  return waitStep;
}

// Returns the change of the unit if its worker claims the next stage in the same write.
function claimedMove(unit: UnitMove): UnitMove {
  if (unit.nudged !== true) throw new CasefileError('bad_change', 'there is no next stage to claim');
  return { ...unit, toStatus: 'running', nudged: false };
}

// Units that become due at the same stage in one batch may share a job, because one job costs more than the
// work of a short stage.
function shareJobs(moves: MoveRow[]): void {
  const byStage = new Map<string, MoveRow[]>();
  for (const move of moves) {
    if (move.nudged !== true || typeof move.toStage !== 'string') continue;
    const list = byStage.get(move.toStage);
    if (list === undefined) byStage.set(move.toStage, [move]);
    else list.push(move);
  }
  for (const due of byStage.values()) {
    const evenly = Math.ceil(due.length / JOBS_PER_WRITE);
    const size = Math.min(MOST_IN_A_JOB, Math.max(LEAST_IN_A_JOB, evenly));
    for (let at = 0; at + 1 < due.length; at += size) {
      const id = randomUUID();
      for (const move of due.slice(at, at + size)) move.sharedJob = id;
    }
  }
}
