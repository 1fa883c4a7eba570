import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { aModelRequest, describeProvider, someCallOptions } from '@casefile/llm/testing';
import { systemClock } from '@casefile/runtime';

/** What each protocol needs to ask the simulator for its reasoning, for it shows none that was not asked for. */
const ENTRIES = {
  'openai-chat': { path: '/v1' },
  'openai-responses': { path: '/v1', reasoningParams: { reasoning: { summary: 'auto' } } },
  anthropic: {
    path: '',
    reasoningParams: { thinking: { type: 'adaptive', display: 'summarized' } },
  },
  gemini: {
    path: '/v1beta',
    model: 'gemini-3-simulated',
    reasoningParams: { thinkingConfig: { includeThoughts: true } },
  },
} as const;
type Protocol = keyof typeof ENTRIES;
const KEY = 'SIMULATED_KEY';

function modelOf(
  simulator: Simulator,
  protocol: Protocol,
  over: { timeoutMs?: number; stream?: boolean; model?: string; thinkingRoom?: number },
) {
  const { path, ...entry } = ENTRIES[protocol];
  const { timeoutMs = 20_000, stream = false, model = 'any', ...room } = over;
  const ours = { protocol, model, ...entry, ...room, keyVariable: KEY, baseUrl: simulator.origin + path };
  const limits = { responseBytes: 2_000_000 };
  const table = readProviderTable({
    simulated: { ...ours, timeoutMs, stream, limits, structuredOutput: 'json_schema' },
  });
  const resolved = resolveProvider({ table, name: 'simulated', env: { [KEY]: 'made-up' } });
  return createLanguageModel(resolved.entry, { apiKey: resolved.apiKey, clock: systemClock });
}

// The simulator is held to what every provider is held to: what is learnt from it is true of the wire.
for (const protocol of Object.keys(ENTRIES) as Protocol[])
  for (const stream of [false, true])
    describeProvider(
      `S2-01 ${protocol} on the simulator`,
      async () => {
        const simulator = await startSimulator({ script: { key: 'made-up' } });
        return {
          model: (over = {}) => modelOf(simulator, protocol, over),
          behave: (...replies) => {
            const last = replies.pop();
            simulator.setScript({ key: 'made-up', replies, ...(last !== undefined && { then: last }) });
          },
          requests: () => simulator.requests(),
          close: () => simulator.close(),
        };
      },
      { stream },
    );

describe.each([
  ['openai-chat', 'any'],
  ['openai-responses', 'any'],
  ['anthropic', 'claude-opus-5-5'],
  ['gemini', 'gemini-3-simulated'],
] as const)('S2-10 a turn with tools on %s, where the model insists on its reasoning', (protocol, model) => {
  const toolCalls = [
    { id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' },
    { id: 'c2', name: 'scam_db', arguments: '{"value":"y"}' },
  ];
  const question = aModelRequest({ maxOutputTokens: 2_000 });
  let simulator: Simulator;
  beforeAll(async () => void (simulator = await startSimulator()));
  afterAll(() => simulator.close());

  const goOn = async (stream: boolean, keep: boolean, redacted: boolean) => {
    simulator.setScript({
      chat: { requireReasoning: true, reasoningField: 'reasoning_content' },
      replies: [
        {
          kind: 'answer',
          content: 'I look.',
          reasoning: ['First one.', 'Then the other.'],
          redacted,
          toolCalls,
        },
        { kind: 'answer', content: 'Found.' },
      ],
    });
    const llm = modelOf(simulator, protocol, { stream, model });
    const turn = await llm.complete(question, someCallOptions());
    const { content, toolCalls: calls, providerState } = turn;
    const state = keep && providerState !== undefined ? { providerState } : {};
    const messages = [
      ...question.messages,
      { role: 'assistant' as const, content, toolCalls: calls, ...state },
      ...calls.map(({ id }) => ({ role: 'tool' as const, toolCallId: id, content: 'found' })),
    ];
    return llm.complete({ ...question, messages }, someCallOptions());
  };

  afterEach(() => simulator.reset());

  it.each([false, true])('continues with its reasoning as it came, streamed: %s', async (stream) => {
    await expect(goOn(stream, true, false)).resolves.toMatchObject({ content: 'Found.' });
    // An adapter may ask once more without its parameters: that it was never refused is what counts.
    expect(simulator.calls().byKind).toEqual({ answer: 2 });
  });

  if (protocol !== 'openai-chat')
    it.each([false, true])('continues with sealed reasoning as it came, streamed: %s', async (stream) => {
      await expect(goOn(stream, true, true)).resolves.toMatchObject({ content: 'Found.' });
      expect(simulator.calls().byKind).toEqual({ answer: 2 });
    });

  if (protocol === 'openai-chat' || protocol === 'anthropic')
    it('is refused without it', async () => {
      await goOn(false, false, false).catch((thrown: unknown) =>
        expect(thrown).toMatchObject({ reasonCode: 'bad_request' }),
      );
      expect(simulator.calls().byKind).toMatchObject({ refused: 1 });
    });
});

describe('S2-02 every shipped provider', () => {
  const PATHS = { 'openai-chat': '/v1', 'openai-responses': '/v1', anthropic: '', gemini: '/v1beta' };

  it('asks for nothing that a server of its protocol refuses, with its own model and parameters', async () => {
    const simulator = await startSimulator();
    const table = readProviderTable();
    const refused: string[] = [];
    for (const { name, protocol, keyVariable } of table.values()) {
      const baseUrl = simulator.origin + PATHS[protocol];
      const env = keyVariable === null ? {} : { [keyVariable]: 'made-up' };
      const { entry, apiKey } = resolveProvider({ table, name, env, baseUrl });
      const llm = createLanguageModel(entry, { apiKey, clock: systemClock });
      const { reasoningParamsRejected } = await llm.complete(
        aModelRequest({ temperature: 0, maxOutputTokens: 4_000 }),
        someCallOptions(),
      );
      if (reasoningParamsRejected === true) refused.push(name);
    }
    expect(refused).toEqual([]);
    expect(simulator.calls().byKind).toEqual({ rules: table.size });
    await simulator.close();
  });
});
