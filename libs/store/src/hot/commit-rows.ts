import { randomUUID } from 'node:crypto';
import type { CommitRequest, EndedStage, Lease, NewEvent } from '@casefile/contracts';
import { isUuid } from '../row-set.js';
import { claimedMove, eventOfCall, moveOf, type Move, type UnitMove } from './move.js';
import { inlineCallRow, inLockOrder, leaseRow, readRow, resultRow, type ResultRow } from './record-rows.js';

/** Units woken by one job at most: few enough that a process which takes it is not busy with it for long. */
const MOST_IN_A_JOB = 20;

type MoveRow = ReturnType<typeof leaseRow> &
  UnitMove & {
    /** The stage that ends: the lease's own, or one that its worker went on to. */
    at_stage: string;
    /** The next stage is claimed for so long; left out: it is due. */
    claim_ms?: number;
    /** The job that wakes it together with others of this batch; left out: its own does. */
    shared_job?: string;
  };

/** What a batch of commits writes, by table; each row says by `i` which request it belongs to. */
export interface CommitRows {
  moves: MoveRow[];
  artifacts: object[];
  results: ResultRow[];
  inlineCalls: object[];
  reads: object[];
  awaitedCalls: object[];
  asks: object[];
  opened: object[];
  ends: object[];
  deliveries: object[];
  sessions: object[];
  events: object[];
}

/** @throws CasefileError `bad_change` for a change that the flow could not have made. */
export function rowsOf(requests: CommitRequest[]): CommitRows {
  const rows: CommitRows = {
    moves: [],
    artifacts: [],
    results: [],
    inlineCalls: [],
    reads: [],
    awaitedCalls: [],
    asks: [],
    opened: [],
    ends: [],
    deliveries: [],
    sessions: [],
    events: [],
  };
  requests.forEach((request, i) => addRows(rows, request, i));
  inLockOrder(rows.moves);
  shareJobs(rows.moves);
  return rows;
}

function addRows(rows: CommitRows, request: CommitRequest, i: number): void {
  const { lease, stage = lease.stage, change, earlier = [], claimForMs } = request;
  if (!isUuid(lease.runId)) return;
  earlier.forEach((ended, n) => {
    // Stages that ended within one tick of the worker's clock are a microsecond apart: the record keeps their order.
    const agoMs = ended.agoMs + (earlier.length - n) / 1000;
    addEnded(rows, i, lease, ended.stage, ended, moveOf(lease, ended.stage, ended.change), agoMs);
  });
  const move = moveOf(lease, stage, change);
  addEnded(rows, i, lease, stage, request, move, 0);
  const { asks, end, delivery, calls = [], opens = [], effects = [] } = move;
  const unit = claimForMs === undefined ? move.unit : claimedMove(move.unit);
  rows.moves.push(Object.assign(leaseRow(i, lease), unit, { at_stage: stage, claim_ms: claimForMs }));
  for (const result of request.results) rows.results.push(resultRow(i, result));
  for (const opened of opens) rows.opened.push({ i, ...opened });
  const step = unit.wait_step;
  calls.forEach(({ id, tool, args }, seq) => rows.awaitedCalls.push({ i, id, step, seq, tool, args }));
  if (asks !== undefined) rows.asks.push({ i, ...asks });
  if (end !== undefined) rows.ends.push({ i, ...end });
  if (delivery !== undefined) rows.deliveries.push({ i, id: delivery });
  for (const { kind: _, ...session } of effects) rows.sessions.push({ i, ...session });
}

// Events of a request are in the order of their rows.
function addEnded(
  rows: CommitRows,
  i: number,
  { round, unit }: Lease,
  stage: string,
  {
    inlineToolCalls,
    answersRead = [],
    events,
  }: Pick<EndedStage, 'inlineToolCalls' | 'answersRead' | 'events'>,
  { artifact, events: ends }: Move,
  agoMs: number,
): void {
  if (artifact !== undefined)
    rows.artifacts.push({ i, artifact: artifact.name, body: artifact.body, ago_ms: agoMs });
  const tell = ({ type, data }: NewEvent) =>
    rows.events.push({ i, n: rows.events.length, type, data, ago_ms: agoMs });
  for (const call of inlineToolCalls) {
    rows.inlineCalls.push({ ...inlineCallRow(i, call), stage });
    tell(eventOfCall({ stage, round, unit }, call));
  }
  for (const read of answersRead) rows.reads.push(readRow(i, stage, agoMs, read));
  events.forEach(tell);
  ends.forEach(tell);
}

// What becomes due at the same stage at once may be woken by one job: a job costs more than the work of a short stage.
function shareJobs(moves: MoveRow[]): void {
  const byStage = new Map<string, MoveRow[]>();
  for (const move of moves) {
    if (move.nudged !== true || move.to_stage === undefined) continue;
    const list = byStage.get(move.to_stage);
    if (list === undefined) byStage.set(move.to_stage, [move]);
    else list.push(move);
  }
  for (const due of byStage.values())
    for (let at = 0; at + 1 < due.length; at += MOST_IN_A_JOB) {
      const id = randomUUID();
      for (const move of due.slice(at, at + MOST_IN_A_JOB)) move.shared_job = id;
    }
}
