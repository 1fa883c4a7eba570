import type { Json, JsonObject } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createLanguageModel } from './create-language-model.js';
import type { ProviderEntry } from './provider-entry.js';
import { readProviderTable } from './provider-table.js';
import { aModelRequest, someCallOptions, startFakeProvider } from './testing/index.js';
import { fetchOf } from './testing/fetch-of.js';
import { outputLimitOf, tokensForThinking } from './thinking-room.js';

const table = readProviderTable({
  bare: { protocol: 'openai-chat', baseUrl: 'http://127.0.0.1:1', model: 'm', keyVariable: null },
});
function entry(name: string, over: Partial<ProviderEntry> = {}): ProviderEntry {
  const found = table.get(name);
  if (found === undefined) throw new Error(name);
  return { ...found, ...over };
}
const roomFor = (reasoningParams: JsonObject) => tokensForThinking(entry('bare', { reasoningParams }), {});

describe('S2-06 room for thoughts', () => {
  it('Gemini as shipped sends a limit that 2,000 tokens of thinking and the whole answer fit into', () => {
    expect(entry('gemini').reasoningParams).toMatchObject({ thinkingConfig: { thinkingBudget: 2000 } });
    expect(outputLimitOf(entry('gemini'), { maxOutputTokens: 1024 })).toBe(1024 + 2500);
  });

  it.each<[string, number]>([
    ['openai', 4_000],
    ['openai-responses', 4_000],
    ['anthropic', 8_000],
    ['grok', 4_000],
    ['groq', 4_000],
    ['deepseek', 4_000],
    ['openrouter', 4_000],
    ['vllm', 4_000],
    ['ollama', 4_000],
    ['simulator', 0],
  ])('%s as shipped has room for %d tokens', (name, room) => {
    expect(tokensForThinking(entry(name), {})).toBe(room);
  });

  it.each<[JsonObject, number]>([
    [{ thinkingConfig: { thinkingBudget: -1 } }, 8_000],
    [{ thinkingConfig: { thinkingLevel: 'low' } }, 2_000],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 1_280],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }, 4_000],
    [{ reasoning_effort: 'high' }, 8_000],
    [{ reasoning: { max_tokens: 2_000 } }, 2_500],
    [{ chat_template_kwargs: { enable_thinking: true } }, 8_000],
    [{ thinking: { type: 'disabled' } }, 0],
    [{}, 0],
  ])('is what %j asks for', (params, room) => {
    expect(roomFor(params)).toBe(room);
  });

  it('is the entry’s own where it names one, also 0, and a little for thoughts between tags', () => {
    expect(tokensForThinking(entry('gemini', { thinkingRoom: 0 }), {})).toBe(0);
    expect(tokensForThinking(entry('bare', { enableReasoning: true }), {})).toBe(1_000);
    expect(tokensForThinking(entry('bare', { enableReasoning: true }), { reasoning: false })).toBe(0);
  });

  it('S2-07 shrinks to a little where reasoning is switched off, for some models think all the same', () => {
    expect(tokensForThinking(entry('gemini'), { reasoning: false })).toBe(512);
    expect(tokensForThinking(entry('anthropic'), { reasoning: false })).toBe(0);
  });
});

describe('S2-07 reasoning switched off', () => {
  it.each(['gemini', 'anthropic', 'openai-responses', 'openrouter', 'groq', 'deepseek', 'vllm', 'ollama'])(
    'sends what makes a model of %s answer at once, and nothing of its reasoning parameters',
    async (name) => {
      const server = await startFakeProvider(entry(name).protocol);
      const shipped = entry(name, { baseUrl: server.baseUrl });
      const model = createLanguageModel(shipped, { apiKey: 'k', clock: manualClock() });
      await model.complete(aModelRequest({ reasoning: false }), someCallOptions());
      await model.complete(aModelRequest(), someCallOptions());
      await server.close();
      const [off, on] = server.requests().map(({ body }) => placeOfParams(shipped, body));
      expect(off).toMatchObject(shipped.reasoningOff!);
      expect(on).toMatchObject(shipped.reasoningParams ?? {});
      for (const key of Object.keys(shipped.reasoningOff!)) expect(off?.[key]).not.toEqual(on?.[key]);
    },
  );

  it('is done without where the provider refuses to be told, and the room stays', async () => {
    const server = await startFakeProvider('openai-chat');
    const groq = entry('groq', { baseUrl: server.baseUrl });
    const model = createLanguageModel(groq, { apiKey: 'k', clock: manualClock() });
    const message = 'reasoning_effort is not supported with this model';
    server.behave({ kind: 'status', status: 400, message }, { kind: 'answer', content: 'hello' });
    const response = await model.complete(aModelRequest({ reasoning: false }), someCallOptions());
    await server.close();
    expect(response).toMatchObject({ content: 'hello', reasoningParamsRejected: true });
    expect(server.requests().map(({ body }) => body.max_completion_tokens)).toEqual([4_100, 4_100]);
    expect(server.requests()[1]?.body).not.toHaveProperty('reasoning_effort');
  });
});

/** Bodies that providers gave for a limit that the thoughts used up. */
const ALL_THOUGHT: [string, Json][] = [
  [
    'gemini',
    {
      candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 }],
      usageMetadata: { promptTokenCount: 310, totalTokenCount: 1330, thoughtsTokenCount: 1020 },
      modelVersion: 'recorded-model',
    },
  ],
  [
    'anthropic',
    {
      id: 'msg_9',
      type: 'message',
      role: 'assistant',
      model: 'recorded-model',
      content: [],
      stop_reason: 'max_tokens',
      stop_sequence: null,
      usage: { input_tokens: 310, output_tokens: 1020 },
    },
  ],
  [
    'openai',
    {
      id: 'c9',
      object: 'chat.completion',
      model: 'recorded-model',
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'length' }],
      usage: {
        prompt_tokens: 310,
        completion_tokens: 1020,
        total_tokens: 1330,
        completion_tokens_details: { reasoning_tokens: 1020 },
      },
    },
  ],
];

it.each(ALL_THOUGHT)('S2-06 an answer of %s that was all thought says what to mend', async (name, body) => {
  const recorded = fetchOf(JSON.stringify(body), { contentType: 'application/json' });
  const options = { apiKey: 'k', clock: manualClock(), fetch: recorded.fetch };
  const failure: unknown = await createLanguageModel(entry(name), options)
    .complete(aModelRequest(), someCallOptions())
    .catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({
    reasonCode: 'cut_answer',
    retryable: true,
    message: expect.stringContaining('thinkingRoom'),
    response: { finishReason: 'length', usage: { inputTokens: 310, outputTokens: 1020 } },
  });
});

function placeOfParams({ protocol }: ProviderEntry, body: JsonObject): JsonObject {
  return (protocol === 'gemini' ? body['generationConfig'] : body) as JsonObject;
}
