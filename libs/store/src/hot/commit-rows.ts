import { randomUUID } from 'node:crypto';
import {
  CasefileError,
  type CommitRequest,
  type EndedStage,
  type Lease,
  type NewEvent,
  type UnitMove,
} from '@casefile/contracts';
import { isUuid } from '../row-set.js';
import { eventOfCall, inlineCallRow, inLockOrder, resultRow, type ResultRow } from './record-rows.js';

/** Units woken by one job at most: few enough that a process which takes it is not busy with it for long. */
const MOST_IN_A_JOB = 20;

interface MoveRow extends Lease, UnitMove {
  i: number;
  /** The stage that ends: the lease's own, or one that its worker went on to. */
  atStage: string;
  /** The next stage is claimed for so long; left out: it is due. */
  claimMs?: number;
  /** The job that wakes it together with others of this batch; left out: its own does. */
  sharedJob?: string;
}

/** What a batch of commits writes, by table; each row says by `i` which request it belongs to. */
export class CommitRows {
  readonly moves: MoveRow[] = [];
  readonly artifacts: object[] = [];
  readonly results: ResultRow[] = [];
  readonly inlineCalls: object[] = [];
  readonly reads: object[] = [];
  readonly awaitedCalls: object[] = [];
  readonly asks: object[] = [];
  readonly opened: object[] = [];
  readonly ends: object[] = [];
  readonly deliveries: object[] = [];
  readonly sessions: object[] = [];
  readonly events: object[] = [];

  /** @throws CasefileError `bad_change` where a next stage is to be claimed that is not there. */
  constructor(requests: CommitRequest[]) {
    requests.forEach((request, i) => this.add(request, i));
    inLockOrder(this.moves);
    shareJobs(this.moves);
  }

  private add(request: CommitRequest, i: number): void {
    const { lease, stage = lease.stage, move, earlier = [], claimForMs } = request;
    if (!isUuid(lease.runId)) return;
    earlier.forEach((ended, n) => {
      // Stages that ended within one tick of the worker's clock are a microsecond apart: the record keeps their order.
      const agoMs = ended.agoMs + (earlier.length - n) / 1000;
      this.addEnded(i, lease, ended.stage, ended, agoMs);
    });
    this.addEnded(i, lease, stage, request, 0);
    const { asks, end, delivery, calls = [], opens = [], effects = [] } = move;
    const unit = claimForMs === undefined ? move.unit : claimedMove(move.unit);
    this.moves.push({ i, ...lease, ...unit, atStage: stage, claimMs: claimForMs });
    for (const result of request.results) this.results.push(resultRow(i, result));
    for (const opened of opens) this.opened.push({ i, ...opened });
    const step = unit.waitStep;
    calls.forEach(({ id, tool, args }, seq) => this.awaitedCalls.push({ i, id, step, seq, tool, args }));
    if (asks !== undefined) this.asks.push({ i, ...asks });
    if (end !== undefined) this.ends.push({ i, ...end });
    if (delivery !== undefined) this.deliveries.push({ i, id: delivery });
    for (const session of effects) this.sessions.push({ i, ...session });
  }

  // Events of a request are in the order of their rows.
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
    const tell = (event: NewEvent) => this.events.push({ i, n: this.events.length, ...event, agoMs });
    for (const call of inlineToolCalls) {
      this.inlineCalls.push({ ...inlineCallRow(i, call), stage });
      tell(eventOfCall({ stage, round, unit }, call));
    }
    for (const read of answersRead) this.reads.push({ i, ...read, stage, agoMs });
    events.forEach(tell);
    ends.forEach(tell);
  }
}

// The unit's row where its worker claims the next stage with the same write.
function claimedMove(unit: UnitMove): UnitMove {
  if (unit.nudged !== true) throw new CasefileError('bad_change', 'there is no next stage to go on with');
  return { ...unit, toStatus: 'running', nudged: false };
}

// What becomes due at the same stage at once may be woken by one job: a job costs more than the work of a short stage.
function shareJobs(moves: MoveRow[]): void {
  const byStage = new Map<string, MoveRow[]>();
  for (const move of moves) {
    if (move.nudged !== true || move.toStage === undefined) continue;
    const list = byStage.get(move.toStage);
    if (list === undefined) byStage.set(move.toStage, [move]);
    else list.push(move);
  }
  for (const due of byStage.values())
    for (let at = 0; at + 1 < due.length; at += MOST_IN_A_JOB) {
      const id = randomUUID();
      for (const move of due.slice(at, at + MOST_IN_A_JOB)) move.sharedJob = id;
    }
}
