import { randomUUID } from 'node:crypto';
import type { CommitRequest, EndedStage } from '@casefile/contracts';
import { isUuid } from '../row-set.js';
import { appendedBy, moveOf, type Move, type UnitMove } from './move.js';
import { inlineCallRow, inLockOrder, leaseRow, readRow, resultRow, type ResultRow } from './record-rows.js';

/** Units woken by one job at most: few enough that a process which takes it is not busy with it for long. */
export const MOST_IN_A_JOB = 20;

interface MoveRow extends ReturnType<typeof leaseRow>, UnitMove {
  /** The job that wakes it together with others of this batch; null: its own does. */
  shared_job: string | null;
}

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
  const { lease, earlier = [], results } = request;
  if (!isUuid(lease.runId)) return;
  earlier.forEach((ended, n) => {
    // Stages that ended within one tick of the worker's clock are a microsecond apart: the record keeps their order.
    const agoMs = ended.agoMs + (earlier.length - n) / 1000;
    addAppended(rows, i, appendedBy(lease, ended), ended, ended.stage, agoMs);
  });
  const move = moveOf(request);
  addAppended(rows, i, move, request, move.unit.at_stage, 0);
  rows.moves.push({ ...leaseRow(i, lease), ...move.unit, shared_job: null });
  for (const result of results) rows.results.push(resultRow(i, result));
  for (const unit of move.opens) rows.opened.push({ i, ...unit });
  const step = move.unit.wait_step;
  move.calls.forEach(({ id, tool, args }, seq) => rows.awaitedCalls.push({ i, id, step, seq, tool, args }));
  if (move.asks !== null) rows.asks.push({ i, ...move.asks });
  if (move.end !== null) rows.ends.push({ i, ...move.end });
  if (move.delivery !== null) rows.deliveries.push({ i, id: move.delivery });
  for (const { kind: _, ...session } of move.effects) rows.sessions.push({ i, ...session });
}

// Events of a request are in the order of their rows.
function addAppended(
  rows: CommitRows,
  i: number,
  { artifact, events }: Pick<Move, 'artifact' | 'events'>,
  { inlineToolCalls, answersRead = [] }: Pick<EndedStage, 'inlineToolCalls' | 'answersRead'>,
  stage: string,
  agoMs: number,
): void {
  if (artifact !== null)
    rows.artifacts.push({ i, artifact: artifact.name, body: artifact.body, ago_ms: agoMs });
  for (const call of inlineToolCalls) rows.inlineCalls.push({ ...inlineCallRow(i, call), stage });
  for (const read of answersRead) rows.reads.push(readRow(i, stage, agoMs, read));
  for (const { type, data } of events)
    rows.events.push({ i, n: rows.events.length, type, data, ago_ms: agoMs });
}

// What becomes due at the same stage at once may be woken by one job: a job costs more than the work of a short stage.
function shareJobs(moves: MoveRow[]): void {
  const byStage = new Map<string, MoveRow[]>();
  for (const move of moves) {
    if (!move.nudged || move.to_stage === null) continue;
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
