import OpenAI from 'openai';
import type { ResponseInput, ResponseInputItem } from 'openai/resources/responses/responses';
import { startSimulator, type Simulator } from '../simulator.js';

const TOOLS = [
  {
    type: 'function' as const,
    name: 'scam_db',
    strict: false,
    parameters: { type: 'object', properties: {} },
  },
];
const CALL = { id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' };
const SEALED = { include: ['reasoning.encrypted_content' as const], store: false };
const ASK = { model: 'any', input: 'Look it up.' };

describe('S2-01 the simulator speaks Responses to the official SDK', () => {
  let simulator: Simulator;
  let client: OpenAI;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = new OpenAI({ apiKey: 'any', baseURL: simulator.baseUrl, maxRetries: 0, logLevel: 'off' });
  });
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const next = (answer: object) => simulator.setScript({ then: { kind: 'answer', content: '', ...answer } });

  it('answers whole and streamed alike', async () => {
    const usage = { input: 120, output: 30, reasoning: 12, cached: 64 };
    next({
      content: 'Hello to everybody who reads this far, again and again 😀.',
      reasoning: ['one', 'two'],
    });
    next({ content: 'Hello 😀'.repeat(20), reasoning: ['one', 'two'], toolCalls: [CALL], usage });
    const request = { ...ASK, ...SEALED, tools: TOOLS, reasoning: { summary: 'auto' as const } };
    const whole = await client.responses.create(request);
    const streamed = await client.responses.stream(request).finalResponse();
    expect(whole).toMatchObject({
      status: 'completed',
      model: 'casefile-simulator',
      output_text: 'Hello 😀'.repeat(20),
      output: [
        {
          type: 'reasoning',
          summary: [{ text: 'one' }, { text: 'two' }],
          encrypted_content: expect.any(String),
        },
        { type: 'message' },
        { type: 'function_call', call_id: 'c1', arguments: CALL.arguments },
      ],
      usage: {
        input_tokens: 120,
        input_tokens_details: { cached_tokens: 64 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 12 },
        total_tokens: 150,
      },
    });
    const bare = (text: string) => JSON.parse(text.replace(/_simulated_\d+/g, ''));
    const outputs = [whole, streamed].map(({ output }) => bare(JSON.stringify(output)));
    expect(outputs[1]).toMatchObject(outputs[0]);
  });

  it('streams deltas that add up, with numbers that go up by one', async () => {
    next({ content: 'Hello 😀'.repeat(20), reasoning: 'x'.repeat(100), toolCalls: [CALL] });
    const said: Record<string, string> = {};
    const numbers: number[] = [];
    const request = { ...ASK, reasoning: { summary: 'auto' as const } };
    for await (const event of client.responses.stream(request)) {
      numbers.push(event.sequence_number);
      if ('delta' in event) said[event.type] = `${said[event.type] ?? ''}${String(event.delta)}`;
    }
    expect(said).toEqual({
      'response.output_text.delta': 'Hello 😀'.repeat(20),
      'response.reasoning_summary_text.delta': 'x'.repeat(100),
      'response.function_call_arguments.delta': CALL.arguments,
    });
    expect(numbers).toEqual(numbers.map((_number, index) => index));
  });

  it('S2-10 shows of the reasoning what was asked for, and seals the rest', async () => {
    const [item, asked] = [
      async (request: object) => (await client.responses.create({ ...ASK, ...request })).output[0],
      { reasoning: { summary: 'auto' } },
    ];
    next({ content: 'hi', reasoning: 'why' });
    expect(await item({})).toEqual({ id: expect.any(String), type: 'reasoning', summary: [] });
    expect(await item(asked)).toMatchObject({ summary: [{ type: 'summary_text', text: 'why' }] });
    expect(await item(SEALED)).toMatchObject({ summary: [], encrypted_content: expect.any(String) });
    next({ content: 'hi', reasoning: 'why', redacted: true });
    expect(await item({ ...asked, ...SEALED })).toMatchObject({
      summary: [],
      encrypted_content: expect.any(String),
    });
  });

  it('says when an answer is cut, filtered or refused', async () => {
    next({ content: '{"a":', finishReason: 'length' });
    expect(await client.responses.create(ASK)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    next({ refusal: 'I will not.' });
    expect(await client.responses.stream(ASK).finalResponse()).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal: 'I will not.' }] }],
    });
    simulator.setScript({ then: { kind: 'empty' } });
    expect(await client.responses.create(ASK)).toMatchObject({ status: 'completed', output: [] });
  });

  it('answers a schema by a sample of it, and offers calls of its tools', async () => {
    const schema = { type: 'object', properties: { greeting: { type: 'string' } } };
    const format = { type: 'json_schema' as const, name: 'greeting', schema };
    const { output_text: text } = await client.responses.create({ ...ASK, text: { format } });
    expect(JSON.parse(text)).toEqual({ greeting: 'simulated' });
    const { output } = await client.responses.create({ ...ASK, tools: TOOLS });
    expect(output.at(-1)).toMatchObject({ type: 'function_call', name: 'scam_db' });
  });

  describe('S2-10 in a tool turn', () => {
    const RESULT: ResponseInputItem = { type: 'function_call_output', call_id: 'c1', output: 'found' };
    const turn = async (request: object) => {
      next({ toolCalls: [CALL], reasoning: 'It must be looked up.' });
      const { output } = await client.responses.create({ ...ASK, ...request });
      return [{ role: 'user', content: ASK.input }, ...output, RESULT] as ResponseInput;
    };
    const goOn = (input: ResponseInput, request: object) =>
      client.responses.create({ ...ASK, input, ...request });
    const without = (type: string) => (item: ResponseInputItem) => item.type !== type;

    it('continues with sealed reasoning, and with what the provider has stored', async () => {
      await expect(goOn(await turn(SEALED), SEALED)).resolves.toBeDefined();
      await expect(goOn(await turn({}), {})).resolves.toBeDefined();
    });

    it('refuses reasoning without its sealed content where nothing is stored', async () => {
      const refused = { status: 404, error: { message: expect.stringContaining('not persisted') } };
      await expect(goOn(await turn({}), { store: false })).rejects.toMatchObject(refused);
      await expect(goOn(await turn({ store: false }), {})).rejects.toMatchObject(refused);
    });

    it('refuses reasoning that was changed', async () => {
      const input = (await turn(SEALED)).map((item) =>
        item.type === 'reasoning' ? { ...item, encrypted_content: 'c2ltdWxhdGVk' } : item,
      );
      await expect(goOn(input, SEALED)).rejects.toMatchObject({
        status: 400,
        code: 'invalid_encrypted_content',
      });
    });

    it.each([
      ['a call without its reasoning', without('reasoning'), /without its required 'reasoning' item/],
      ['reasoning without its call', without('function_call'), /without its required following item/],
      ['a call without its output', without('function_call_output'), /No tool output found/],
    ])('refuses %s', async (_what, keep, message) => {
      const input = (await turn(SEALED)).filter(keep);
      await expect(goOn(input, SEALED)).rejects.toMatchObject({
        status: 400,
        error: { message: expect.stringMatching(message) },
      });
    });

    it('refuses an output that was not asked for', async () => {
      await expect(goOn([RESULT], {})).rejects.toMatchObject({ status: 400 });
    });
  });

  it.each([
    ['a field that there is not', { temperatur: 1 }, { code: 'unknown_parameter', param: 'temperatur' }],
    ['too small a limit', { max_output_tokens: 5 }, { param: 'max_output_tokens' }],
    ['no input', { input: undefined }, { param: 'input' }],
    [
      'a conversation that it has not kept',
      { previous_response_id: 'resp_1' },
      { param: 'previous_response_id' },
    ],
  ])('refuses %s', async (_what, wrong, facts) => {
    await expect(client.responses.create({ ...ASK, ...wrong })).rejects.toMatchObject({
      status: 400,
      ...facts,
    });
  });
});
