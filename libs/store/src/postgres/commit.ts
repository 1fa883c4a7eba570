import type { Change, CommitRequest, CommitResult, Nudge, VerdictEffect } from '@casefile/contracts';
import { evidenceItemsOf } from '../plan/evidence-rows.js';
import { moveOf, type Move } from '../plan/move.js';
import { eventsOfCommit, verdictFacts } from '../plan/events-of-commit.js';
import { nudgeOf } from '../plan/unit-state.js';
import { toolNudgeOf } from './claim.js';
import { commitStatement, type CommitRows, type Written } from './commit-sql.js';
import type { Queryable } from './database.js';
import type { HotWrite } from './hot-write.js';
import { eventRow, inLockOrder, inlineCallRow, leaseRow, pendingCallRow, resultRow } from './record-rows.js';
import { isUuid } from './row-set.js';
import { wakeSettled } from './wake.js';

/**
 * Ends many stages in one statement. The requests whose lease does not hold any more do not come back from it: each
 * of them is stale by itself.
 */
export const commitWrite: HotWrite<CommitRequest, CommitResult> = {
  statement: (requests) => commitStatement(rowsOf(requests)),
  // A call that waits may be on the record, and settled, already: that is looked up under the lock on its unit.
  within: {
    isNeeded: (requests) => requests.some((request) => request.change.kind === 'suspend'),
    ask: async (tx, requests, rows) => [...rows, ...(await wakeAnswered(tx, requests, rows as Written[]))],
  },
  results: (requests, rows) => resultsOf(requests, rows as Written[]),
};

async function wakeAnswered(
  tx: Queryable,
  requests: CommitRequest[],
  written: Written[],
): Promise<Written[]> {
  const inserted = (i: number): number => written.filter((row) => row.kind === 'call' && row.i === i).length;
  const asked = requests.flatMap(({ change, lease }, i) => {
    if (change.kind !== 'suspend' || change.signal !== null) return [];
    return change.calls.length === 0 || inserted(i) < change.calls.length ? [{ ...lease, i }] : [];
  });
  const woken = await wakeSettled(tx, asked);
  return woken.map(({ i, ...row }) => ({ kind: 'unit', i, nudged: true, ...row }));
}

function resultsOf(requests: CommitRequest[], written: Written[]): CommitResult[] {
  const nudges = new Map<number, Nudge[]>();
  for (const row of written) {
    const list = nudges.get(row.i) ?? [];
    nudges.set(row.i, list);
    if (row.kind === 'call') list.push(toolNudgeOf(row));
    else if (row.nudged) list.push(nudgeOf({ ...row, runId: row.run_id }));
  }
  return requests.map((_request, i) => {
    const own = nudges.get(i);
    return own === undefined ? { kind: 'stale' } : { kind: 'committed', nudges: own };
  });
}

function rowsOf(requests: CommitRequest[]): CommitRows {
  const rows: CommitRows = {
    moves: [],
    artifacts: [],
    evidence: [],
    results: [],
    inlineCalls: [],
    awaitedCalls: [],
    opened: [],
    ends: [],
    deliveries: [],
    sessions: [],
    events: [],
  };
  requests.forEach((request, i) => addRows(rows, request, i));
  inLockOrder(rows.moves);
  return rows;
}

function addRows(rows: CommitRows, request: CommitRequest, i: number): void {
  const { lease, change } = request;
  if (!isUuid(lease.runId)) return;
  rows.moves.push(moveRow(i, request, moveOf(lease, change)));
  rows.results.push(...request.results.map((result) => resultRow(i, result)));
  rows.inlineCalls.push(...request.inlineToolCalls.map((call) => inlineCallRow(i, call)));
  rows.events.push(...eventsOfCommit(request).map((event, n) => eventRow(i, n, event)));
  if (change.kind === 'advance' || change.kind === 'decide') {
    rows.artifacts.push({ i, artifact: change.artifact.name, body: change.artifact.body });
    const items = evidenceItemsOf(change.artifact);
    rows.evidence.push(...items.map((item, position) => ({ i, position, ...item })));
  }
  if (change.kind === 'advance')
    rows.opened.push(...change.units.map((unit) => ({ i, unit, ...change.next })));
  if (change.kind === 'suspend') {
    rows.awaitedCalls.push(...change.calls.map((call, seq) => pendingCallRow(i, change.step, seq, call)));
  }
  if (change.kind === 'decide') {
    rows.ends.push({ i, status: 'decided', ...verdictFacts(change.artifact.body) });
    if (change.deliveryId !== null) rows.deliveries.push({ i, id: change.deliveryId });
    rows.sessions.push(...effectsOf(change).map(({ kind: _, ...session }) => ({ i, ...session })));
  }
  if (change.kind === 'stop') rows.ends.push(endRow(i, 'stopped', change));
  if (change.kind === 'park') rows.ends.push(endRow(i, 'parked', change));
  if (change.kind === 'fail' && change.retryInMs === null) rows.ends.push(endRow(i, 'quarantined', change));
}

/** What a verdict does where it may leave the system; elsewhere nothing. */
function effectsOf({ deliveryId, effects }: Extract<Change, { kind: 'decide' }>): VerdictEffect[] {
  return deliveryId === null ? [] : (effects ?? []);
}

function endRow(i: number, status: string, why: { reasonCode: string; message: string }): object {
  return { i, status, reason_code: why.reasonCode, message: why.message };
}

function moveRow(i: number, request: CommitRequest, move: Move) {
  return {
    ...leaseRow(i, request.lease),
    to_status: move.status,
    to_stage: move.stage,
    to_round: move.round,
    resume_in_ms: move.resumeInMs,
    held: move.held,
    nudged: move.nudged,
    keeps_counts: move.keepsCounts,
    failed: move.failed,
    wait_step: move.waitStep,
    wait_signal: move.waitSignal,
    open_units: move.openUnits,
    ends_at: move.endsAt,
    reason_code: move.reasonCode,
    message: move.message,
  };
}
