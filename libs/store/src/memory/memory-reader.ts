import type {
  AlertImage,
  CaseDocument,
  CaseQuery,
  CaseReader,
  CaseSummary,
  EventRecord,
} from '@casefile/contracts';
import { cursorOf, instantOf, placeOfCursor, placeOfEvent } from '../plan/cursor.js';
import { runDocument } from '../plan/document.js';
import { verdictFacts, type VerdictFacts } from '../plan/events-of-commit.js';
import { stored } from '../storable.js';
import type { CaseEntry, MemoryState, RunEntry } from './memory-state.js';
import { memoryDeadLetters } from './memory-dead-letters.js';
import { memoryFigures } from './memory-figures.js';
import { toolCallOf } from './memory-tool-calls.js';

/** The reading side of the memory store, and what people do about dead letters. */
export function memoryReader(state: MemoryState): CaseReader {
  return {
    listCases: async (query) => listCases(state, query),
    getCase: async (caseId) => getCase(state, caseId),
    alertImage: async (caseId, alertId) => alertImage(state, caseId, alertId),
    eventsAfter: async (after, limit) => eventsAfter(state, after, limit),
    lastEventId: async () => state.events.at(-1)?.id ?? null,
    noteOperatorAction: async (what, data) =>
      state.tell({ caseId: null, runId: null }, { type: `operator.${what}`, data }),
    pipelineFigures: async () => memoryFigures(state),
    isEmpty: async () => state.cases.size === 0,
    ...memoryDeadLetters(state),
  };
}

function listCases(
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
  const { status, playbook, action, lane, disposition, method, degraded, q } = query;
  const from = query.from === undefined ? -Infinity : Date.parse(instantOf('from', query.from));
  const to = query.to === undefined ? Infinity : Date.parse(instantOf('to', query.to));
  return (one) => {
    const run = state.runs.get(one.newestRunId)!;
    const facts = verdictOf(state, run);
    return (
      (status === undefined || one.status === status) &&
      (playbook === undefined || one.playbook === playbook) &&
      (action === undefined || run.action === action) &&
      (lane === undefined || run.lane === lane) &&
      (disposition === undefined || facts?.disposition === disposition) &&
      (method === undefined || facts?.method === method) &&
      (degraded === undefined || facts?.degraded === degraded) &&
      one.createdAt >= from &&
      one.createdAt <= to &&
      (q === undefined || q.trim() === '' || hasWords(state, one, q))
    );
  };
}

function verdictOf(state: MemoryState, run: RunEntry): VerdictFacts | null {
  if (run.status !== 'decided') return null;
  const verdict = state.artifacts.find((one) => one.runId === run.id && one.artifact === 'verdict');
  return verdict === undefined ? null : verdictFacts(verdict.body);
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
  const run = documentOf(state, state.runs.get(one.newestRunId)!);
  const { id, lane, status, stage, round, verdict, decidedAt, interactions } = run;
  return {
    ...recordOf(state, one),
    text: one.text,
    run: { id, lane, status, stage, round, verdict, decidedAt },
    costUsd: interactions.reduce((sum, call) => sum + (call.costUsd ?? 0), 0),
    hasReasoning: interactions.some((call) => call.hasReasoning),
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

function getCase(state: MemoryState, caseId: string): CaseDocument | null {
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

function alertImage(state: MemoryState, caseId: string, alertId: string): AlertImage | null {
  const entry = state.alerts.get(alertId);
  return entry?.caseId === caseId ? (entry.alert.image ?? null) : null;
}

function eventsAfter(state: MemoryState, after: string | null, limit: number): EventRecord[] {
  const seen = after === null ? 0 : Number(placeOfEvent(after).id);
  return stored(state.events.slice(seen, seen + limit));
}
