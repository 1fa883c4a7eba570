import { silentLogger, type JsonObject } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createLanguageModel } from './create-language-model.js';
import type { Protocol } from './provider-entry.js';
import { readProviderTable } from './provider-table.js';
import { aModelRequest, someCallOptions, startFakeProvider, type FakeProvider } from './testing/index.js';

const TEN_MINUTES = 600_000;
/** What each protocol's `reasoningParams` look like, where they end up in the body, and how they are refused. */
const PARAMS: [Protocol, JsonObject, JsonObject, string][] = [
  ['openai-chat', { reasoning_effort: 'low' }, { reasoning_effort: 'low' }, 'Unknown: reasoning_effort'],
  [
    'openai-responses',
    { reasoning: { effort: 'low', summary: 'auto' } },
    { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'], store: false },
    'Your organization must be verified to generate reasoning summaries',
  ],
  [
    'anthropic',
    { thinking: { type: 'adaptive', display: 'summarized' } },
    { thinking: { type: 'adaptive', display: 'summarized' } },
    'adaptive thinking is not supported on this model',
  ],
  [
    'gemini',
    { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000, levelOfTomorrow: 1 } },
    {
      generationConfig: {
        thinkingConfig: { includeThoughts: true, thinkingBudget: 2000, levelOfTomorrow: 1 },
        maxOutputTokens: 2600,
      },
    },
    'Invalid value at thinking_budget',
  ],
];

describe.each(PARAMS)('reasoningParams over %s', (protocol, reasoningParams, inBody, refusal) => {
  let server: FakeProvider;
  const clock = manualClock();
  beforeAll(async () => void (server = await startFakeProvider(protocol)));
  afterAll(() => server.close());

  const newModel = () => {
    const own = { protocol, baseUrl: server.baseUrl, model: 'm', keyVariable: null, reasoningParams };
    const entry = readProviderTable({ own }).get('own');
    if (entry === undefined) throw new Error('no entry');
    return createLanguageModel(entry, { apiKey: null, clock, log: silentLogger });
  };
  const bodies = () => server.requests().map((request) => request.body);
  const refused = { kind: 'status' as const, status: 400, message: refusal };
  const answered = { kind: 'answer' as const, content: 'hello' };

  it('S2-04 go to the call as they are', async () => {
    server.behave(answered);
    const response = await newModel().complete(aModelRequest(), someCallOptions());
    expect(bodies().at(-1)).toMatchObject(inBody);
    expect(response).not.toHaveProperty('reasoningParamsRejected');
  });

  it('S2-04 are left out in a second try when they are rejected, which is recorded', async () => {
    const before = bodies().length;
    server.behave(refused, answered);
    const response = await newModel().complete(aModelRequest(), someCallOptions());
    expect(bodies()).toHaveLength(before + 2);
    for (const key of Object.keys(reasoningParams))
      expect(JSON.stringify(bodies().at(-1))).not.toContain(key);
    expect(response).toMatchObject({
      content: 'hello',
      reasoningParamsRejected: true,
      raw: { reasoningParamsRejected: expect.stringContaining(refusal) },
    });
  });

  it('S2-04 are not sent again for ten minutes, and then once more', async () => {
    const model = newModel();
    server.behave(refused, answered);
    await model.complete(aModelRequest(), someCallOptions());
    const before = bodies().length;
    clock.advance(TEN_MINUTES - 1);
    const later = await model.complete(aModelRequest(), someCallOptions());
    expect(bodies()).toHaveLength(before + 1);
    expect(bodies().at(-1)).not.toMatchObject(inBody);
    expect(later).toMatchObject({ reasoningParamsRejected: true });
    clock.advance(1);
    expect(await model.complete(aModelRequest(), someCallOptions())).not.toHaveProperty(
      'reasoningParamsRejected',
    );
    expect(bodies().at(-1)).toMatchObject(inBody);
  });

  it('S2-04 are not blamed for a call that is rejected without them too', async () => {
    const model = newModel();
    server.behave(refused);
    await expect(model.complete(aModelRequest(), someCallOptions())).rejects.toMatchObject({
      reasonCode: 'bad_request',
    });
    server.behave(answered);
    await model.complete(aModelRequest(), someCallOptions());
    expect(bodies().at(-1)).toMatchObject(inBody);
  });

  it('S4-01 a required tool call is left out in a second try when it is rejected, which is recorded', async () => {
    const model = newModel();
    const words = protocol === 'gemini' ? 'Unknown name "tool_config"' : 'tool_choice is not supported';
    const tools = [{ name: 't', description: 'd', parameters: { type: 'object', properties: {} } }];
    const request = aModelRequest({ tools, toolChoice: 'required' });
    // Anthropic's models are not asked for it while they think.
    const entryThinks = protocol === 'anthropic';
    const before = bodies().length;
    server.behave({ ...refused, message: words }, answered);
    const asked = model.complete(request, someCallOptions());
    if (entryThinks) return void (await expect(asked).rejects.toMatchObject({ reasonCode: 'bad_request' }));
    expect(await asked).toMatchObject({
      toolChoiceRejected: true,
      raw: { toolChoiceRejected: expect.stringContaining(words) },
    });
    expect(await asked).not.toHaveProperty('reasoningParamsRejected');
    expect(bodies()).toHaveLength(before + 2);
    expect(bodies().at(-2)).toHaveProperty(protocol === 'gemini' ? 'toolConfig' : 'tool_choice');
    expect(bodies().at(-1)).toMatchObject(inBody);
    expect(JSON.stringify(bodies().at(-1))).not.toMatch(/tool_choice|toolConfig/);
    expect(await model.complete(request, someCallOptions())).toHaveProperty('toolChoiceRejected');
    expect(bodies()).toHaveLength(before + 3);
    clock.advance(TEN_MINUTES);
    await model.complete(request, someCallOptions());
    expect(JSON.stringify(bodies().at(-1))).toMatch(/tool_choice|toolConfig/);
  });

  it('S4-01 S2-04 both wishes are dropped when both are rejected', async () => {
    if (protocol === 'anthropic') return;
    const tools = [{ name: 't', description: 'd', parameters: { type: 'object', properties: {} } }];
    const before = bodies().length;
    server.behave({ ...refused, message: 'Thinking does not support this tool_choice' }, refused, answered);
    const response = await newModel().complete(
      aModelRequest({ tools, toolChoice: 'required' }),
      someCallOptions(),
    );
    expect(response).toMatchObject({ toolChoiceRejected: true, reasoningParamsRejected: true });
    expect(bodies()).toHaveLength(before + 3);
  });

  it.each([
    ['something else', { kind: 'status' as const, status: 400, message: 'messages too long' }],
    ['a key', { kind: 'status' as const, status: 401, message: refusal }],
    ['a limit', { kind: 'status' as const, status: 429, message: refusal }],
  ])('S2-04 are not blamed for %s', async (_what, behaviour) => {
    const before = bodies().length;
    server.behave(behaviour);
    await expect(newModel().complete(aModelRequest(), someCallOptions())).rejects.toHaveProperty(
      'reasonCode',
    );
    expect(bodies()).toHaveLength(before + 1);
  });
});
