import {
  CasefileError,
  type Interaction,
  type JsonObject,
  type ModelRequest,
  type NewEvent,
  type RunDocument,
} from '@casefile/contracts';
import { aRunSettings, countingIds } from '@casefile/contracts/testing';
import type { Journal } from '../calls/journal.js';
import { RecordedModel } from './recorded-model.js';
import { Recording } from './recording.js';
import { requestHash } from '../calls/interaction-record.js';

const key = { runId: 'again', unit: '', stage: 'reason', round: 1 };
const question = (content: string): ModelRequest => ({
  promptId: 'answer@1',
  kind: 'answer',
  messages: [{ role: 'user', content }],
  maxOutputTokens: 10,
  temperature: 0,
});

const answered = (step: number, content: string, over: Partial<Interaction> = {}): Interaction =>
  ({
    ...key,
    runId: 'base',
    id: `of ${step}`,
    step,
    attempt: 1,
    provider: 'p',
    model: 'm-2026',
    requestHash: requestHash(question(content)),
    request: question(content),
    draw: { seed: 'seed', deadlineAt: 1 },
    state: 'completed',
    content: `answer to ${content}`,
    toolCalls: [],
    usage: { inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cachedTokens: 0 },
    errorCode: null,
    hasReasoning: false,
    toolCallId: null,
    ...over,
  }) as unknown as Interaction;

const SETTINGS = aRunSettings({ provider: 'p', model: 'm' });

function setUp(
  interactions: Interaction[],
  {
    misses = 'stop',
    answers,
    over = {},
    trace = [] as NewEvent[],
  }: { misses?: 'stop' | 'ask'; answers?: 'new' | 'same'; over?: object; trace?: NewEvent[] } = {},
) {
  const run = {
    settings: SETTINGS,
    interactions,
    toolCalls: [],
    artifacts: [],
    trace,
  } as unknown as RunDocument;
  const put: string[] = [];
  const events: NewEvent[] = [];
  const own = {
    available: true,
    replayed: 0,
    events,
    interactionsOf: () => [],
    recorded: () => false,
    draw: (deadlineMs: number | null) => ({ seed: 'drawn', deadlineAt: deadlineMs }),
    stepsCalled: new Set<number>(),
    tell: (type: string, data: JsonObject) => void events.push({ type, data }),
    remark: () => undefined,
    call: async (_step: number, { messages }: ModelRequest) => {
      put.push(messages[0]!.content);
      return { content: 'fresh' };
    },
  };
  const anew = answers === undefined ? {} : { answers };
  const settings = { ...SETTINGS, ...over, recorded: { run: 'base', first: 'base', misses, ...anew } };
  const work = { key, settings, recording: new Recording(run), ids: countingIds() };
  return { model: new RecordedModel(work, own as unknown as Journal), own, events, put };
}

const failing = (call: Promise<unknown>): Promise<CasefileError> =>
  call.then(
    () => Promise.reject(new Error('it was answered')),
    (error: CasefileError) => error,
  );

describe('the model of a run that reads another one again', () => {
  it('R18 tells the same answer to the same request, and notes every attempt that was made', async () => {
    const failed = answered(1, 'what?', { id: 'failed', state: 'failed', errorCode: 'server_error' });
    const { model, own, put } = setUp([failed, answered(1, 'what?', { id: 'second', attempt: 2 })]);
    expect(await model.call(1, question('what?'), null)).toMatchObject({ content: 'answer to what?' });
    expect(model.takeReads()).toMatchObject([
      { of: 'failed', step: 1, attempt: 1 },
      { of: 'second', step: 1, attempt: 2 },
    ]);
    expect(model.takeReads()).toEqual([]);
    expect([own.replayed, put]).toEqual([1, []]);
  });

  it('R18 fails again as it failed then, also where no attempt was made', async () => {
    const failed = answered(1, 'what?', { state: 'failed', errorCode: 'timeout' });
    const refused = {
      type: 'interaction.refused',
      data: { ...key, step: 2, reasonCode: 'circuit_open', message: 'p is left alone' },
    };
    const { model, put } = setUp([failed], { trace: [refused] });
    expect(await failing(model.call(1, question('what?'), null))).toMatchObject({ reasonCode: 'timeout' });
    expect(await failing(model.call(2, question('and?'), null))).toMatchObject({
      reasonCode: 'circuit_open',
      message: 'p is left alone',
    });
    expect(put).toEqual([]);
  });

  it('R18 takes what a tool was refused for no refusal of its stage, nor that of another stage', async () => {
    const of = { step: 1, reasonCode: 'budget_exhausted', message: 'no room' };
    const trace = [
      { type: 'interaction.refused', data: { ...key, ...of, toolCallId: 'call' } },
      { type: 'interaction.refused', data: { ...key, ...of, round: 2 } },
    ];
    const { model } = setUp([], { trace });
    expect(await failing(model.call(1, question('what?'), null))).toMatchObject({
      reasonCode: 'evidence_miss',
    });
  });

  it('R18 S2-40 says that the alert is over where the stage was told so, and not before', () => {
    const told = { type: 'resolution.read', data: { ...key, resolvedAt: '2026-01-05T10:00:00Z', steps: 2 } };
    const recording = new Recording({ interactions: [], toolCalls: [], trace: [told] } as never);
    expect([1, 2, 3].map((steps) => recording.resolvedAt(key, steps))).toEqual([
      null,
      '2026-01-05T10:00:00Z',
      '2026-01-05T10:00:00Z',
    ]);
    expect(recording.resolvedAt({ ...key, round: 2 }, 3)).toBeNull();
  });

  it('R18 S4-55 shows where the first request differs, and makes no call', async () => {
    const { model, events, put } = setUp([answered(1, 'Is the parcel held?')]);
    const error = await failing(model.call(1, question('Is the parcel lost?'), null));
    expect(error).toMatchObject({ reasonCode: 'evidence_miss' });
    expect(error.message).toContain(
      'messages[0].content:14: "Is the parcel held?" then, "Is the parcel lost?" now',
    );
    expect(events).toMatchObject([
      {
        type: 'evidence.missed',
        data: { what: 'answer', step: 1, difference: { path: 'messages[0].content:14' } },
      },
    ]);
    expect(put).toEqual([]);
    expect((await failing(model.call(7, question('new'), null))).message).toContain('never reached it');
  });

  it('S4-62 reads an answer to the same request from another step, and asks for the others where it may', async () => {
    const { model, put } = setUp([answered(3, 'what?')], { misses: 'ask' });
    expect(await model.call(1, question('what?'), null)).toMatchObject({ content: 'answer to what?' });
    expect(model.takeReads()).toMatchObject([{ of: 'of 3', step: 1, attempt: 1 }]);
    expect(await model.call(2, question('new'), null)).toMatchObject({ content: 'fresh' });
    expect(put).toEqual(['new']);
  });

  it('S4-62 asks again what failed then, where it may', async () => {
    const { model, put } = setUp([answered(1, 'what?', { state: 'failed', errorCode: 'timeout' })], {
      misses: 'ask',
    });
    expect(await model.call(1, question('what?'), null)).toMatchObject({ content: 'fresh' });
    expect(put).toEqual(['what?']);
    expect(model.takeReads()).toEqual([]);
  });

  it('S4-55 fails again where the live run failed, if it is compared with that run', async () => {
    const failed = answered(1, 'what?', { state: 'failed', errorCode: 'timeout' });
    const data = { ...key, step: 2, reasonCode: 'circuit_open', message: 'p is left alone' };
    const trace = [{ type: 'interaction.refused', data }];
    const { model, put } = setUp([failed], { misses: 'ask', answers: 'same', trace });
    expect((await failing(model.call(1, question('what?'), null))).reasonCode).toBe('timeout');
    expect((await failing(model.call(2, question('else'), null))).reasonCode).toBe('circuit_open');
    expect(await model.call(3, question('new'), null)).toMatchObject({ content: 'fresh' });
    expect(put).toEqual(['new']);
  });

  it('S4-55 asks for a new answer although one is on the record, if it repeats the control', async () => {
    const { model, put } = setUp([answered(1, 'what?')], { misses: 'ask', answers: 'new' });
    expect(model.recorded(1)).toBe(false);
    expect(await model.call(1, question('what?'), null)).toMatchObject({ content: 'fresh' });
    expect([put, model.takeReads()]).toEqual([['what?'], []]);
  });

  it('S4-62 takes no answer of one model for that of another', async () => {
    const { model } = setUp([answered(1, 'what?')], { over: { model: 'other' } });
    expect((await failing(model.call(1, question('what?'), null))).message).toContain(
      'another model is asked: p/m then, p/other now',
    );
    const own = setUp([answered(1, 'what?')], { over: { model: 'm-2026' } });
    expect(await own.model.call(1, question('what?'), null)).toMatchObject({ content: 'answer to what?' });
  });

  it('R18 has a model exactly where the run had one that it could ask', () => {
    expect(setUp([answered(1, 'what?')]).model.available).toBe(true);
    const none = setUp([], { over: { provider: 'none' } });
    expect(none.model.available).toBe(false);
    expect(setUp([]).model.available).toBe(true);
  });
});
