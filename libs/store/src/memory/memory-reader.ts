import type {
  CaseDocument,
  CaseQuery,
  CaseSummary,
  DeadLetter,
  EventRecord,
  Json,
} from '@casefile/contracts';
import { cursorOf, instantOf, placeOfCursor, placeOfEvent } from '../plan/cursor.js';
import { runDocument } from '../plan/document.js';
import { stored } from '../storable.js';
import type { CaseEntry, MemoryState, RunEntry } from './memory-state.js';
import { toolCallOf } from './memory-tool-calls.js';

export function listCases(
  state: MemoryState,
  query: CaseQuery,
): { items: CaseSummary[]; nextCursor: string | null } {
  const after = query.cursor === undefined ? undefined : state.cases.get(placeOfCursor(query.cursor).id);
  const wanted = [...state.cases.values()]
    .filter(matches(state, query))
    .sort(newestFirst)
    .filter((one) => after === undefined || newestFirst(after, one) < 0);
  const page = wanted.slice(0, query.limit);
  const last = page.at(-1);
  const more = wanted.length > query.limit && last !== undefined;
  return {
    items: page.map((one) => summaryOf(state, one)),
    nextCursor: more ? cursorOf({ createdAt: String(last.createdAt * 1000), id: last.id }) : null,
  };
}

function newestFirst(a: CaseEntry, b: CaseEntry): number {
  return b.createdAt - a.createdAt || b.order - a.order;
}

function matches(state: MemoryState, query: CaseQuery): (one: CaseEntry) => boolean {
  const { status, playbook, action, lane, q } = query;
  const from = query.from === undefined ? -Infinity : Date.parse(instantOf('from', query.from));
  const to = query.to === undefined ? Infinity : Date.parse(instantOf('to', query.to));
  return (one) => {
    const run = state.runs.get(one.newestRunId)!;
    return (
      (status === undefined || one.status === status) &&
      (playbook === undefined || one.playbook === playbook) &&
      (action === undefined || run.action === action) &&
      (lane === undefined || run.lane === lane) &&
      one.createdAt >= from &&
      one.createdAt <= to &&
      (q === undefined || q.trim() === '' || hasWords(state, one, q))
    );
  };
}

// All words of the question in one text, the last one as a beginning, as the database finds them.
function hasWords(state: MemoryState, one: CaseEntry, q: string): boolean {
  const asked = wordsOf(q);
  const texts = [...state.alerts.values()]
    .filter((alert) => alert.caseId === one.id)
    .map((entry) => entry.alert.text);
  for (const artifact of state.artifacts) {
    const markdown = artifact.body['markdown'];
    const isOwn = artifact.artifact === 'report' && state.runs.get(artifact.runId)?.caseId === one.id;
    if (isOwn && typeof markdown === 'string') texts.push(markdown);
  }
  return (
    asked.length > 0 &&
    texts.some((text) => {
      const words = wordsOf(text ?? '');
      const last = asked.length - 1;
      return asked.every((word, i) =>
        words.some((has) => (i === last ? has.startsWith(word) : has === word)),
      );
    })
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function summaryOf(state: MemoryState, one: CaseEntry): CaseSummary {
  const { id, lane, status, stage, round, verdict, decidedAt } = documentOf(
    state,
    state.runs.get(one.newestRunId)!,
  );
  return {
    ...recordOf(state, one),
    text: one.text,
    run: { id, lane, status, stage, round, verdict, decidedAt },
  };
}

function recordOf(state: MemoryState, { id, playbook, status, alertCount, createdAt, updatedAt }: CaseEntry) {
  return {
    id,
    playbook,
    status,
    alertCount,
    createdAt: state.iso(createdAt),
    updatedAt: state.iso(updatedAt),
  };
}

function documentOf(state: MemoryState, run: RunEntry) {
  const own = <R extends { runId: string | null }>(rows: Iterable<R>): R[] =>
    [...rows].filter((row) => row.runId === run.id);
  const { endedAt: _endedAt, action: _action, createdAt, decidedAt, ...facts } = run;
  const times = {
    createdAt: state.iso(createdAt),
    decidedAt: decidedAt === null ? null : state.iso(decidedAt),
  };
  const document = runDocument({
    run: { ...facts, ...times },
    units: state.unitsOf(run.id),
    artifacts: own(state.artifacts),
    toolCalls: own(state.calls.values()).map(toolCallOf),
    interactions: own(state.interactions.values()),
    trace: own(state.events),
  });
  return stored(document);
}

export function getCase(state: MemoryState, caseId: string): CaseDocument | null {
  const one = state.cases.get(caseId);
  if (one === undefined) return null;
  const alerts = [...state.alerts.values()].filter((entry) => entry.caseId === caseId);
  const runs = [...state.runs.values()].filter((run) => run.caseId === caseId);
  return {
    ...recordOf(state, one),
    alerts: stored(alerts.map(({ alert, id, receivedAt }) => ({ ...alert, id, receivedAt }))),
    runs: runs.map((run) => documentOf(state, run)),
  };
}

export function eventsAfter(state: MemoryState, after: string | null, limit: number): EventRecord[] {
  const seen = after === null ? 0 : Number(placeOfEvent(after).id);
  return stored(state.events.slice(seen, seen + limit));
}

export function listDeadLetters(state: MemoryState, limit: number): DeadLetter[] {
  const alerts = [...state.buried.values()].map(({ at, payload, ...entry }) => ({
    at,
    letter: { ...entry, kind: 'alert' as const, caseId: null, runId: null, payload: payload as Json },
  }));
  const runs = [...state.runs.values()]
    .filter((run) => run.status === 'quarantined')
    .map((run) => ({
      at: run.endedAt!,
      letter: {
        id: run.id,
        kind: 'run' as const,
        reasonCode: run.reasonCode ?? 'unexpected',
        message: run.message ?? '',
        caseId: run.caseId,
        runId: run.id,
        payload: null,
      },
    }));
  const newest = [...alerts, ...runs].sort((a, b) => b.at - a.at).slice(0, limit);
  return newest.map(({ at, letter }) => ({ ...letter, at: state.iso(at) }));
}
