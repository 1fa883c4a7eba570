import type { EventRecord, Interaction, ModelSpend, PipelineFigures } from '@casefile/contracts';
import { pipelineFiguresOf, type CountedEvent } from '../plan/pipeline-figures.js';
import type { MemoryState } from './memory-state.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ENDS = ['verdict.decided', 'stage.failed', 'run.stopped', 'run.quarantined'];

/** What the pipeline did of late. */
export function memoryFigures(state: MemoryState): PipelineFigures {
  const since = (ms: number): EventRecord[] =>
    state.events.filter((event) => Date.parse(event.at) > state.now() - ms);
  const isCall = (event: EventRecord, how: string): boolean =>
    event.type === 'tool-call.completed' && event.data['state'] === how;
  const done = since(MINUTE_MS).filter(
    (event) => event.type === 'stage.completed' || isCall(event, 'succeeded'),
  );
  const ended = since(HOUR_MS).filter((event) => ENDS.includes(event.type) || isCall(event, 'failed'));
  const counted = (event: EventRecord): CountedEvent => countedOf(state, event);
  const waiting = [...state.runs.values()].filter((run) => ['quarantined', 'parked'].includes(run.status));
  return {
    ...pipelineFiguresOf(done.map(counted), ended.map(counted)),
    models: spendOf(
      [...state.interactions.values()].filter(
        (call) => Date.parse(call.createdAt) > state.now() - 24 * HOUR_MS,
      ),
    ),
    deadLetters: state.buried.size + waiting.length,
    held: heldIn(state),
  };
}

function heldIn(state: MemoryState): PipelineFigures['held'] {
  const held = [...state.units.values()].filter((unit) => unit.status === 'due' && unit.held);
  const all = new Map<string, PipelineFigures['held'][number]>();
  for (const { runId, stage } of held) {
    const lane = state.runs.get(runId)?.lane ?? 'live';
    const entry = all.get(`${stage}/${lane}`) ?? { stage, lane, n: 0 };
    all.set(`${stage}/${lane}`, { ...entry, n: entry.n + 1 });
  }
  return [...all.values()];
}

function countedOf(state: MemoryState, { type, runId, data }: EventRecord): CountedEvent {
  const text = (key: string): string | null => (typeof data[key] === 'string' ? data[key] : null);
  const lane = state.runs.get(runId ?? '')?.lane ?? 'live';
  const degraded = typeof data['degraded'] === 'boolean' ? data['degraded'] : null;
  const notConfigured = data['reasonCode'] === 'not_configured';
  const facts = { disposition: text('disposition'), degraded, notConfigured };
  return { type, stage: text('stage') ?? '', tool: text('tool'), lane, ...facts, n: 1 };
}

function spendOf(calls: Interaction[]): ModelSpend[] {
  const all = new Map<string, ModelSpend>();
  for (const { provider, model, usage, costUsd } of calls) {
    const key = JSON.stringify([provider, model]);
    const spend = all.get(key) ?? { provider, model, calls: 0, tokens: 0, costUsd: 0 };
    spend.calls += 1;
    spend.tokens += usage.inputTokens + usage.outputTokens;
    spend.costUsd += costUsd ?? 0;
    all.set(key, spend);
  }
  return [...all.values()].sort((a, b) => b.costUsd - a.costUsd || (a.model < b.model ? -1 : 1));
}
