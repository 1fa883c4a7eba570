import fc from 'fast-check';
import { UnusableAnswer } from '@casefile/contracts';
import type { LanguageModel, ModelMessage } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createLanguageModel } from './create-language-model.js';
import { readProviderTable } from './provider-table.js';
import { aModelRequest, someCallOptions } from './testing/index.js';
import { fetchOf } from './testing/fetch-of.js';
import { RECORDED_CHAT } from './testing/recorded/openai-chat.js';
import { RECORDED_ODD } from './testing/recorded/odd-shapes.js';
import { RECORDED_OTHERS } from './testing/recorded/others.js';
import type { RecordedAnswer } from './testing/recorded/recorded-answer.js';
import { serverSentEvents } from './testing/server-sent-events.js';

const RECORDED = [...RECORDED_CHAT, ...RECORDED_OTHERS, ...RECORDED_ODD].map(
  (one) => [one.name, one] as const,
);
const cuts = fc.array(fc.nat(20_000), { maxLength: 40 });

function modelOf({ provider }: RecordedAnswer, ownFetch: typeof fetch, stream: boolean): LanguageModel {
  const entry = readProviderTable().get(provider);
  if (entry === undefined) throw new Error(`no ${provider}`);
  const options = { apiKey: 'sk-1', clock: manualClock(), fetch: ownFetch };
  return createLanguageModel({ ...entry, stream }, options);
}

const ask = (model: LanguageModel, messages?: ModelMessage[]) =>
  model.complete(aModelRequest(messages === undefined ? {} : { messages }), someCallOptions());
const streamOf = (recorded: RecordedAnswer) => serverSentEvents(recorded.events, recorded.sse);
const asJson = (recorded: RecordedAnswer) =>
  fetchOf(JSON.stringify(recorded.body), { contentType: 'application/json' });

describe('answers as providers give them', () => {
  it.each(RECORDED)('S2-10 %s', async (_name, recorded) => {
    const { sentBack: _, ...expected } = recorded.expected;
    const response = await ask(modelOf(recorded, asJson(recorded).fetch, false));
    expect(response).toMatchObject({
      toolCalls: [],
      model: 'recorded-model',
      raw: recorded.body,
      ...expected,
    });
    expect(response.unread).toBeUndefined();
  });

  it.each(RECORDED)('S2-10 streamed in chunks of any size: %s', async (_name, recorded) => {
    const { sentBack: _, ...expected } = recorded.expected;
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const own = fetchOf(streamOf(recorded), { contentType: 'text/event-stream', cuts: places });
        const response = await ask(modelOf(recorded, own.fetch, true));
        expect(response).toMatchObject({ toolCalls: [], model: 'recorded-model', ...expected });
        expect(response.unread).toBeUndefined();
      }),
      { numRuns: 5 },
    );
  });

  it.each(RECORDED)('S2-10 sends back what it must, whole or streamed: %s', async (_name, recorded) => {
    const { content, toolCalls = [], sentBack = [] } = recorded.expected;
    const streamed = fetchOf(streamOf(recorded), { contentType: 'text/event-stream' });
    for (const [own, stream] of [[asJson(recorded), false] as const, [streamed, true] as const]) {
      const model = modelOf(recorded, own.fetch, stream);
      const { providerState } = await ask(model);
      expect(providerState !== undefined).toBe(sentBack.length > 0);
      const state = providerState === undefined ? {} : { providerState };
      const turn: ModelMessage = { role: 'assistant', content, toolCalls, ...state };
      const results = toolCalls.map((call) => ({
        role: 'tool' as const,
        toolCallId: call.id,
        content: 'found',
      }));
      await ask(model, [{ role: 'user', content: 'Look it up.' }, turn, ...results]);
      for (const text of sentBack) expect(own.sent().at(-1)).toContain(text);
      if (toolCalls.length > 0) expect(own.sent().at(-1)).toContain(CALL_NAME);
    }
  });

  it.each(RECORDED)(
    'R13 keeps what arrived of a stream that is cut anywhere: %s',
    async (_name, recorded) => {
      const whole = streamOf(recorded);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.boolean(), async (end, breaks) => {
          const own = fetchOf(whole.slice(0, end), { contentType: 'text/event-stream', breaks });
          const outcome: unknown = await ask(modelOf(recorded, own.fetch, true)).catch((e: unknown) => e);
          if (outcome instanceof UnusableAnswer) {
            expect(['cut_answer', 'empty_answer']).toContain(outcome.reasonCode);
            expect(outcome.retryable).toBe(true);
            const { content } = outcome.response;
            // Of a tag that is itself cut a part may stand in the answer.
            if (recorded.expected.reasoning?.source !== 'tags')
              expect(recorded.expected.content.startsWith(content)).toBe(true);
          } else {
            // What is missing was behind the answer.
            expect(outcome).toMatchObject({ content: recorded.expected.content });
          }
        }),
        { numRuns: 5 },
      );
    },
  );
});

const CALL_NAME = 'scam_db';
