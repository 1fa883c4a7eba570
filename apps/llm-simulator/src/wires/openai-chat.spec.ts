import OpenAI from 'openai';
import { startSimulator, type Simulator } from '../simulator.js';
import type { ScriptInput } from '../script.js';

const TOOLS = [
  {
    type: 'function' as const,
    function: { name: 'scam_db', parameters: { type: 'object', properties: {} } },
  },
];
const CALL = { id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' };
const ASK = { model: 'any', messages: [{ role: 'user' as const, content: 'Look it up.' }] };

describe('S2-01 the simulator speaks chat completions to the official SDK', () => {
  let simulator: Simulator;
  let client: OpenAI;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = new OpenAI({ apiKey: 'any', baseURL: simulator.baseUrl, maxRetries: 0, logLevel: 'off' });
  });
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const next = (answer: object, script: ScriptInput = {}) =>
    simulator.setScript({ ...script, then: { kind: 'answer', content: '', ...answer } });

  it('answers whole and streamed alike', async () => {
    next({ content: 'Hello, and a good day to everybody who reads this 😀.', toolCalls: [CALL] });
    const whole = await client.chat.completions.create({ ...ASK, tools: TOOLS });
    const streamed = await client.chat.completions.stream({ ...ASK, tools: TOOLS }).finalChatCompletion();
    const [one, two] = [whole, streamed].map(({ choices }) => choices[0]);
    expect(one?.message).toMatchObject({ content: expect.stringContaining('😀'), refusal: null });
    expect(two?.message.content).toBe(one?.message.content);
    expect(two?.message.tool_calls).toMatchObject([
      { id: 'c1', function: { name: 'scam_db', arguments: CALL.arguments } },
    ]);
    expect([one?.finish_reason, two?.finish_reason]).toEqual(['tool_calls', 'tool_calls']);
  });

  it.each([
    ['reasoning_content', { reasoning_content: 'one\n\ntwo' }],
    ['reasoning', { reasoning: 'one\n\ntwo' }],
    ['thinking', { thinking: 'one\n\ntwo' }],
    [
      'reasoning_details',
      { reasoning: 'one\n\ntwo', reasoning_details: [{ type: 'reasoning.text', text: 'one' }, { index: 1 }] },
    ],
    ['none', {}],
  ] as const)('S2-10 has reasoning in %s where the script says so', async (reasoningField, expected) => {
    next({ content: 'hi', reasoning: ['one', 'two'] }, { chat: { reasoningField } });
    const { choices } = await client.chat.completions.create(ASK);
    const { role, content, refusal, ...rest } = choices[0]?.message ?? {};
    expect({ role, content, refusal }).toEqual({ role: 'assistant', content: 'hi', refusal: null });
    expect(rest).toMatchObject(expected);
    expect(Object.keys(rest).sort()).toEqual(Object.keys(expected).sort());
  });

  it('S2-10 streams reasoning in the same field, sealed reasoning whole', async () => {
    const deltas = async () => {
      const found: Record<string, unknown>[] = [];
      for await (const chunk of await client.chat.completions.create({ ...ASK, stream: true }))
        found.push(...chunk.choices.map(({ delta }) => ({ ...delta })));
      return found;
    };
    next({ content: 'hi', reasoning: 'x'.repeat(100) }, { chat: { reasoningField: 'reasoning' } });
    expect((await deltas()).map(({ reasoning }) => reasoning ?? '').join('')).toBe('x'.repeat(100));
    next(
      { content: 'hi', reasoning: 'x'.repeat(100), redacted: true },
      { chat: { reasoningField: 'reasoning_details' } },
    );
    expect((await deltas()).flatMap(({ reasoning_details = [] }) => reasoning_details)).toMatchObject([
      { type: 'reasoning.encrypted' },
    ]);
  });

  describe('S2-10 with a model that wants its reasoning back', () => {
    const after = (given: object) =>
      client.chat.completions.create({
        ...ASK,
        messages: [
          ...ASK.messages,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: CALL }],
            ...given,
          },
          { role: 'tool', tool_call_id: 'c1', content: 'found' },
        ],
      });
    beforeEach(async () => {
      next({ toolCalls: [CALL], reasoning: 'It must be looked up.' }, { chat: { requireReasoning: true } });
      await client.chat.completions.create({ ...ASK, tools: TOOLS });
    });

    it('continues when it comes back as it was', async () => {
      await expect(after({ reasoning_content: 'It must be looked up.' })).resolves.toBeDefined();
    });

    it.each([
      ['left out', {}, 'Missing'],
      ['changed', { reasoning_content: 'It must not.' }, 'Changed'],
    ])('refuses a tool turn with its reasoning %s', async (_how, given, word) => {
      await expect(after(given)).rejects.toMatchObject({
        status: 400,
        error: { message: expect.stringMatching(`${word}.*reasoning_content.*index 1`) },
      });
      simulator.setScript({});
      await expect(after(given)).resolves.toBeDefined();
    });
  });

  it.each([
    ['a tool result that was not asked for', [{ role: 'tool', tool_call_id: 'c1', content: 'found' }]],
    [
      'a tool call without a result',
      [{ role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: CALL }] }],
    ],
    ['a role that there is not', [{ role: 'robot', content: 'x' }]],
  ])('refuses %s', async (_what, more) => {
    const messages = [...ASK.messages, ...more] as OpenAI.ChatCompletionMessageParam[];
    await expect(client.chat.completions.create({ ...ASK, messages })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    });
    expect(simulator.calls().byKind).toEqual({ refused: 1 });
  });

  it('tells a spent quota from a busy minute', async () => {
    simulator.setScript({
      replies: [
        { kind: 'status', status: 429, code: 'insufficient_quota' },
        { kind: 'status', status: 429, retryAfterS: 3 },
      ],
    });
    const thrown = () => client.chat.completions.create(ASK).catch((error: unknown) => error);
    expect(await thrown()).toMatchObject({ status: 429, code: 'insufficient_quota' });
    expect(await thrown()).toMatchObject({ status: 429, code: null, type: 'rate_limit_error' });
  });
});
