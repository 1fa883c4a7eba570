import type {
  EventRecord,
  Interaction,
  JsonObject,
  RunDocument,
  RunSpan,
  ToolCall,
} from '@casefile/contracts';
import { interactionCost } from './shown-case.js';

/** The work of one unit at one stage in one round. */
type Place = Pick<RunSpan, 'stage' | 'round' | 'unit'> & { stage: string; round: number; unit: string };

const NOT_ENDED = new Set(['due', 'running', 'suspended', 'parked', 'joining']);
const HALTS = new Set(['run.stopped', 'run.quarantined', 'run.parked']);

/**
 * Returns the time of a run in spans, from its record: the run, its stages, and in each stage its waits, tool
 * calls and model calls. Each span comes before the spans inside it. Siblings are in order of time.
 */
export function runSpans(run: RunDocument): RunSpan[] {
  const end = runEnd(run);
  const whole: RunSpan = {
    ...emptySpan,
    id: run.id,
    parentId: null,
    kind: 'run',
    name: run.settings.playbook,
    start: run.createdAt,
    end,
    state: run.status === 'decided' ? 'ok' : end === null ? 'running' : 'failed',
    reasonCode: run.reasonCode,
    ...spentBy(run.interactions),
  };
  return [whole, ...places(run).flatMap((place) => stageSpans(run, place))];
}

const emptySpan = {
  stage: null,
  round: null,
  unit: null,
  workMs: null,
  reasonCode: null,
  attempts: 1,
  costUsd: 0,
  inputTokens: 0,
  outputTokens: 0,
};

function runEnd(run: RunDocument): string | null {
  if (run.decidedAt !== null) return run.decidedAt;
  if (NOT_ENDED.has(run.status)) return null;
  return run.trace.findLast(({ type }) => HALTS.has(type))?.at ?? run.trace.at(-1)?.at ?? run.createdAt;
}

/** Returns each stage that the record mentions, in order of time. */
function places(run: RunDocument): (Place & { start: string })[] {
  const placesById = new Map<string, Place>();
  const add = ({ stage, round, unit }: Place) =>
    placesById.set(placeId({ stage, round, unit }), { stage, round, unit });
  for (const event of run.trace) {
    const place = eventPlace(event);
    if (place !== null) add(place);
  }
  for (const call of [...run.toolCalls, ...run.interactions]) add(call);
  for (const { stage, round, unit, status } of run.units)
    if (stage !== null && NOT_ENDED.has(status) && status !== 'joining') add({ stage, round, unit });
  return [...placesById.values()]
    .map((place) => ({ ...place, start: placeStart(run, place) }))
    .sort((a, b) => a.start.localeCompare(b.start) || a.round - b.round);
}

function placeId({ stage, round, unit }: Place): string {
  return `${stage}/${round}/${unit}`;
}

function eventPlace({ data: { stage, round, unit } }: EventRecord): Place | null {
  if (typeof stage !== 'string' || typeof round !== 'number') return null;
  return { stage, round, unit: typeof unit === 'string' ? unit : '' };
}

function isAt(place: Place) {
  return (event: EventRecord): boolean => {
    const own = eventPlace(event);
    return own !== null && placeId(own) === placeId(place);
  };
}

// Returns the time at which a stage became due: the end of the stage before it in the same unit, of the stage
// that opened the unit, or of the last unit that it joins.
function placeStart(run: RunDocument, place: Place): string {
  const own = run.trace.findIndex(isAt(place));
  const first = firstCallAt(run, place);
  const before = (own < 0 ? run.trace : run.trace.slice(0, own)).findLast(
    (event) =>
      event.type === 'stage.completed' &&
      (place.unit === '' || ['', place.unit].includes(eventPlace(event)?.unit ?? '')) &&
      (first === null || event.at <= first),
  );
  return before?.at ?? run.createdAt;
}

function firstCallAt(run: RunDocument, place: Place): string | null {
  const times = callsAt(run, place).map((call) => ('tool' in call ? toolStart(call) : call.createdAt));
  return times.length === 0 ? null : times.reduce((a, b) => (a < b ? a : b));
}

function callsAt(run: RunDocument, place: Place): (ToolCall | Interaction)[] {
  return [...run.toolCalls, ...run.interactions].filter((call) => placeId(call) === placeId(place));
}

function stageSpans(run: RunDocument, { start, ...place }: Place & { start: string }): RunSpan[] {
  const events = run.trace.filter(isAt(place));
  const completed = events.find(({ type }) => type === 'stage.completed');
  const halt = events.findLast(({ type }) => HALTS.has(type));
  const isOpen = completed === undefined && runEnd(run) === null;
  const interactions = run.interactions.filter((it) => placeId(it) === placeId(place));
  const end = completed?.at ?? (isOpen ? null : (halt?.at ?? runEnd(run)));
  const stage: RunSpan = {
    ...emptySpan,
    ...place,
    id: placeId(place),
    parentId: run.id,
    kind: 'stage',
    name: place.stage,
    start,
    end,
    state: completed !== undefined ? 'ok' : isOpen ? 'running' : 'failed',
    reasonCode: completed === undefined && halt !== undefined ? codeIn(halt.data) : null,
    attempts: 1 + events.filter(({ type }) => type === 'stage.failed').length,
    ...spentBy(interactions),
  };
  const inside = [
    ...waits(run, place, stage),
    ...run.toolCalls.filter((it) => placeId(it) === placeId(place)).map((call) => toolSpan(call, stage)),
    ...interactions
      .filter(({ toolCallId }) => (toolCallId ?? null) === null)
      .map((it) => modelSpan(it, stage.id)),
  ].sort((a, b) => a.start.localeCompare(b.start));
  const within = (parentId: string) =>
    interactions.filter(({ toolCallId }) => toolCallId === parentId).map((it) => modelSpan(it, parentId));
  return [stage, ...inside.flatMap((span) => (span.kind === 'tool' ? [span, ...within(span.id)] : [span]))];
}

function waits(run: RunDocument, place: Place, stage: RunSpan): RunSpan[] {
  const wait = (name: string, start: string, end: string | null, reasonCode: string | null): RunSpan => ({
    ...emptySpan,
    ...place,
    id: `${stage.id}/wait/${start}/${name}`,
    parentId: stage.id,
    kind: 'wait',
    name,
    start,
    end: end !== null && stage.end !== null && end > stage.end ? stage.end : end,
    state: end === null ? 'running' : 'ok',
    reasonCode,
  });
  const first = firstCallAt(run, place);
  const signals = (run.signals ?? []).filter((it) => placeId(it) === placeId(place));
  return [
    ...(first !== null && first > stage.start ? [wait('worker', stage.start, first, null)] : []),
    ...signals.map(({ askedAt, givenAt, until }) =>
      wait('signal', askedAt, givenAt ?? (run.status === 'suspended' ? null : until), null),
    ),
    ...run.trace.flatMap((event, index) => {
      if (!isAt(place)(event)) return [];
      const code = codeIn(event.data);
      if (event.type === 'run.parked')
        return [wait('parked', event.at, run.trace[index + 1]?.at ?? null, code)];
      const ms = event.data[event.type === 'stage.failed' ? 'retryInMs' : 'delayMs'];
      if (typeof ms !== 'number') return [];
      return [wait(code ?? 'retry', event.at, later(event.at, ms), code)];
    }),
  ];
}

function codeIn({ reasonCode }: JsonObject): string | null {
  return typeof reasonCode === 'string' ? reasonCode : null;
}

function toolSpan(call: ToolCall, stage: RunSpan): RunSpan {
  const { id, unit, round, tool, state, attempts, reasonCode, durationMs, settledAt } = call;
  return {
    ...emptySpan,
    id,
    parentId: stage.id,
    kind: 'tool',
    name: tool,
    stage: call.stage,
    round,
    unit,
    start: toolStart(call),
    end: settledAt,
    workMs: durationMs,
    state: state === 'succeeded' ? 'ok' : state === 'failed' ? 'failed' : 'running',
    reasonCode,
    attempts: Math.max(1, attempts),
  };
}

// A call inside the process of a stage is recorded when it ends, so its start is computed.
function toolStart({ createdAt, settledAt, durationMs }: ToolCall): string {
  if (settledAt === null) return createdAt;
  const began = later(settledAt, -(durationMs ?? 0));
  return began < createdAt ? began : createdAt;
}

function modelSpan(interaction: Interaction, parentId: string): RunSpan {
  const { id, stage, round, unit, provider, model, state, attempt, errorCode, createdAt, latencyMs } =
    interaction;
  return {
    ...emptySpan,
    id,
    parentId,
    kind: 'model',
    name: `${provider}/${model}`,
    stage,
    round,
    unit,
    start: createdAt,
    end: state === 'pending' ? null : later(createdAt, latencyMs ?? 0),
    state: state === 'completed' ? 'ok' : state === 'pending' ? 'running' : 'failed',
    reasonCode: errorCode,
    attempts: attempt,
    ...spentBy([interaction]),
  };
}

function spentBy(
  interactions: readonly Interaction[],
): Pick<RunSpan, 'costUsd' | 'inputTokens' | 'outputTokens'> {
  const { usd, unpriced, inputTokens, outputTokens } = interactionCost(interactions);
  return { costUsd: unpriced > 0 && usd === 0 ? null : usd, inputTokens, outputTokens };
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
