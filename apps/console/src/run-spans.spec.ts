import type { EventRecord, Interaction, RunDocument, ToolCall } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { runSpans } from './run-spans.js';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

let events = 0;
const event = (type: string, second: number, data: EventRecord['data'] = {}): EventRecord => ({
  id: String((events += 1)),
  type,
  caseId: 'c',
  runId: 'r',
  data: { round: 1, unit: '', ...data },
  at: at(second),
});
const completed = (stage: string, second: number, data: EventRecord['data'] = {}) =>
  event('stage.completed', second, { stage, ...data });

const aRun = (over: Partial<RunDocument>): RunDocument =>
  ({
    id: 'r',
    caseId: 'c',
    settings: aRunSettings(),
    status: 'decided',
    reasonCode: null,
    createdAt: at(0),
    decidedAt: at(20),
    units: [],
    artifacts: [],
    toolCalls: [],
    interactions: [],
    trace: [],
    ...over,
  }) as unknown as RunDocument;

const call = (id: string, second: number, over: Partial<Interaction> = {}): Interaction =>
  ({
    id,
    stage: 'reason',
    round: 1,
    unit: '',
    provider: 'p',
    model: 'm',
    state: 'completed',
    attempt: 1,
    errorCode: null,
    costUsd: 0.25,
    latencyMs: 3_000,
    usage: { inputTokens: 100, outputTokens: 10, reasoningTokens: 0, cachedTokens: 0 },
    createdAt: at(second),
    ...over,
  }) as Interaction;
const tool = (id: string, second: number, over: Partial<ToolCall> = {}): ToolCall =>
  ({
    id,
    stage: 'collect',
    round: 1,
    unit: '',
    tool: 'whois',
    state: 'succeeded',
    attempts: 1,
    reasonCode: null,
    durationMs: 1_000,
    createdAt: at(second),
    settledAt: at(second + 4),
    ...over,
  }) as ToolCall;
const brief = (run: RunDocument) =>
  runSpans(run).map(({ kind, name, start, end, parentId }) => [
    kind,
    name,
    (Date.parse(start) - Date.parse(at(0))) / 1_000,
    end === null ? null : (Date.parse(end) - Date.parse(at(0))) / 1_000,
    parentId,
  ]);

describe('runSpans', () => {
  it('T-21 divides the time of a run into stages, waits, tool calls and model calls', () => {
    const run = aRun({
      trace: [
        completed('triage', 1),
        completed('collect', 8),
        event('stage.failed', 12, { stage: 'reason', reasonCode: 'rate_limited', retryInMs: 2_000 }),
        completed('reason', 18),
        completed('decide', 20),
      ],
      toolCalls: [tool('t', 3)],
      interactions: [
        call('i1', 9, { state: 'failed', errorCode: 'rate_limited', costUsd: null }),
        call('i2', 14, { attempt: 2 }),
        call('in-tool', 4, { stage: 'collect', toolCallId: 't', latencyMs: 500, costUsd: 0.5 }),
      ],
    });
    expect(brief(run)).toEqual([
      ['run', 'scam-verdict', 0, 20, null],
      ['stage', 'triage', 0, 1, 'r'],
      ['stage', 'collect', 1, 8, 'r'],
      ['wait', 'worker', 1, 3, 'collect/1/'],
      ['tool', 'whois', 3, 7, 'collect/1/'],
      ['model', 'p/m', 4, 4.5, 't'],
      ['stage', 'reason', 8, 18, 'r'],
      ['wait', 'worker', 8, 9, 'reason/1/'],
      ['model', 'p/m', 9, 12, 'reason/1/'],
      ['wait', 'rate_limited', 12, 14, 'reason/1/'],
      ['model', 'p/m', 14, 17, 'reason/1/'],
      ['stage', 'decide', 18, 20, 'r'],
    ]);
    const [whole, , collect] = runSpans(run);
    expect(whole).toMatchObject({ state: 'ok', costUsd: 0.75, inputTokens: 300, outputTokens: 30 });
    expect(collect).toMatchObject({ costUsd: 0.5, attempts: 1 });
    expect(runSpans(run).find(({ id }) => id === 'i1')).toMatchObject({ state: 'failed', costUsd: null });
    expect(runSpans(run).find(({ id }) => id === 't')).toMatchObject({ workMs: 1_000 });
  });

  it('T-21 starts units when they are opened, and the joining stage when the last unit ends', () => {
    const run = aRun({
      trace: [
        completed('triage', 2, { units: ['a', 'b'] }),
        completed('reason', 5, { unit: 'a' }),
        completed('reason', 9, { unit: 'b' }),
        completed('decide', 20),
      ],
    });
    expect(brief(run).slice(2)).toEqual([
      ['stage', 'reason', 2, 5, 'r'],
      ['stage', 'reason', 2, 9, 'r'],
      ['stage', 'decide', 9, 20, 'r'],
    ]);
  });

  it('T-21 leaves what has not ended open, and ends a stopped run where it stopped', () => {
    const unit = { unit: '', stage: 'reason', round: 1, status: 'running' } as RunDocument['units'][number];
    const running = aRun({
      status: 'due',
      decidedAt: null,
      units: [unit],
      trace: [completed('triage', 2)],
      interactions: [call('i', 3, { state: 'pending', latencyMs: null, costUsd: null })],
    });
    expect(brief(running).slice(2)).toEqual([
      ['stage', 'reason', 2, null, 'r'],
      ['wait', 'worker', 2, 3, 'reason/1/'],
      ['model', 'p/m', 3, null, 'reason/1/'],
    ]);
    const stopped = aRun({
      status: 'stopped',
      decidedAt: null,
      trace: [completed('triage', 2), event('run.stopped', 6, { stage: 'reason', reasonCode: 'refused' })],
    });
    expect(runSpans(stopped).at(-1)).toMatchObject({
      name: 'reason',
      end: at(6),
      state: 'failed',
      reasonCode: 'refused',
    });
  });
});
