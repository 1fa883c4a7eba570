import Anthropic from '@anthropic-ai/sdk';
import type { ContentBlock, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { startSimulator, type Simulator } from '../simulator.js';

const TOOLS = [{ name: 'scam_db', input_schema: { type: 'object' as const, properties: {} } }];
const CALL = { id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' };
const ADAPTIVE = { thinking: { type: 'adaptive' as const, display: 'summarized' as const } };
const ASK = {
  model: 'any',
  max_tokens: 2000,
  messages: [{ role: 'user', content: 'Look it up.' }] as MessageParam[],
};

describe('S2-01 the simulator speaks Messages to the official SDK', () => {
  let simulator: Simulator;
  let client: Anthropic;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = new Anthropic({ apiKey: 'any', baseURL: simulator.origin, maxRetries: 0, logLevel: 'off' });
  });
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const next = (answer: object) => simulator.setScript({ then: { kind: 'answer', content: '', ...answer } });

  it('answers whole and streamed alike', async () => {
    const usage = { input: 120, output: 30, reasoning: 12, cached: 64 };
    next({ content: 'Hello 😀'.repeat(20), reasoning: ['x'.repeat(90), 'two'], toolCalls: [CALL], usage });
    const request = { ...ASK, ...ADAPTIVE, tools: TOOLS };
    const whole = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();
    expect(whole).toMatchObject({
      model: 'casefile-simulator',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'x'.repeat(90), signature: expect.any(String) },
        { type: 'thinking', thinking: 'two' },
        { type: 'text', text: 'Hello 😀'.repeat(20) },
        { type: 'tool_use', id: 'c1', name: 'scam_db', input: { value: 'x' } },
      ],
      usage: {
        input_tokens: 56,
        cache_read_input_tokens: 64,
        output_tokens: 30,
        output_tokens_details: { thinking_tokens: 12 },
      },
    });
    expect(streamed.content).toEqual(whole.content);
    expect(streamed).toMatchObject({ stop_reason: 'tool_use', usage: { output_tokens: 30 } });
  });

  it('S2-10 thinks only where it was asked to, and shows it only where that was', async () => {
    const blocks = async (request: object) =>
      (await client.messages.create({ ...ASK, ...request } as typeof ASK)).content;
    next({ content: 'hi', reasoning: 'why' });
    expect(await blocks({})).toMatchObject([{ type: 'text' }]);
    expect(await blocks(ADAPTIVE)).toMatchObject([{ thinking: 'why' }, { type: 'text' }]);
    const omitted = await blocks({ thinking: { type: 'adaptive', display: 'omitted' } });
    expect(omitted[0]).toMatchObject({ type: 'thinking', thinking: '', signature: expect.any(String) });
    const newer = await blocks({ model: 'claude-opus-5-5', thinking: { type: 'adaptive' } });
    expect(newer[0]).toMatchObject({ thinking: '' });
    next({ content: 'hi', reasoning: 'why', redacted: true });
    expect(await blocks(ADAPTIVE)).toMatchObject([
      { type: 'redacted_thinking', data: expect.any(String) },
      { type: 'text' },
    ]);
  });

  it('says when an answer is cut, refused or empty', async () => {
    next({ content: '{"a":', finishReason: 'length' });
    expect(await client.messages.create(ASK)).toMatchObject({ stop_reason: 'max_tokens' });
    next({ refusal: 'I will not.' });
    expect(await client.messages.stream(ASK).finalMessage()).toMatchObject({
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', explanation: 'I will not.' },
      content: [],
    });
    simulator.setScript({ then: { kind: 'empty' } });
    expect(await client.messages.create(ASK)).toMatchObject({ content: [], stop_reason: 'end_turn' });
  });

  it('answers a schema by a sample of it, and offers calls of its tools', async () => {
    const schema = { type: 'object', properties: { greeting: { type: 'string' } } };
    const { content } = await client.messages.create({
      ...ASK,
      output_config: { format: { type: 'json_schema', schema } },
    });
    expect(content).toMatchObject([{ text: '{"greeting":"simulated"}' }]);
    const called = await client.messages.create({ ...ASK, tools: TOOLS });
    expect(called.content).toMatchObject([{ type: 'tool_use', name: 'scam_db', input: {} }]);
    const not = await client.messages.create({ ...ASK, tools: TOOLS, tool_choice: { type: 'none' } });
    expect(not.content).toMatchObject([{ text: expect.stringContaining('Simulated answer') }]);
  });

  describe('S2-10 in a tool turn', () => {
    type Change = (content: ContentBlock[]) => unknown[];
    const goOn = async (change: Change, request: object = ADAPTIVE, answer: object = {}) => {
      next({ toolCalls: [CALL], reasoning: ['one', 'two'], ...answer });
      const { content } = await client.messages.create({ ...ASK, ...request } as typeof ASK);
      const messages = [
        ...ASK.messages,
        { role: 'assistant', content: change(content) },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'found' }] },
      ] as MessageParam[];
      return client.messages.create({ ...ASK, ...request, messages } as typeof ASK);
    };
    const changed =
      (key: string, value: string): Change =>
      ([first, ...rest]) => [{ ...first, [key]: value }, ...rest];
    const refusedWith = (message: string) => ({
      status: 400,
      type: 'invalid_request_error',
      apiMessage: expect.stringContaining(message),
    });

    it('continues with its thinking as it was, shown, omitted or redacted', async () => {
      const same: Change = (content) => content;
      await expect(goOn(same)).resolves.toBeDefined();
      await expect(goOn(same, { thinking: { type: 'adaptive', display: 'omitted' } })).resolves.toBeDefined();
      await expect(goOn(same, ADAPTIVE, { redacted: true })).resolves.toBeDefined();
    });

    it.each<[string, Change, string]>([
      ['whose thinking was changed', changed('thinking', 'ONE'), 'content.0: Invalid `signature`'],
      ['whose signature was changed', changed('signature', 'c2ln'), 'content.0: Invalid `signature`'],
      ['that lost a block', ([, ...rest]) => rest, 'cannot be modified'],
      ['that lost all thinking', (content) => content.slice(2), 'cannot be modified'],
      ['whose blocks changed places', ([a, b, ...rest]) => [b, a, ...rest], 'cannot be modified'],
    ])('refuses one %s', async (_how, change, message) => {
      await expect(goOn(change)).rejects.toMatchObject(refusedWith(message));
    });

    it('refuses redacted thinking that was changed', async () => {
      const outcome = goOn(changed('data', 'c2ln'), ADAPTIVE, { redacted: true });
      await expect(outcome).rejects.toMatchObject(refusedWith('Invalid `data`'));
    });

    it('refuses calls without thinking before them where thinking is always on', async () => {
      const budget = { thinking: { type: 'enabled', budget_tokens: 1024 } };
      const lost = goOn((content) => content.slice(2), budget);
      await expect(lost).rejects.toMatchObject(refusedWith('Expected `thinking`'));
    });

    it('takes a turn that it did not give', async () => {
      const own: Change = () => [{ type: 'tool_use', id: 'c7', name: 'scam_db', input: {} }];
      await expect(goOn(own)).rejects.toMatchObject(refusedWith('`tool_use` ids were found without'));
      const messages = [
        ...ASK.messages,
        { role: 'assistant', content: own([]) },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c7', content: 'found' }] },
      ] as MessageParam[];
      await expect(client.messages.create({ ...ASK, ...ADAPTIVE, messages })).resolves.toBeDefined();
    });
  });

  it.each<[string, object, string]>([
    ['no limit of tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['a field that there is not', { reasoning: {} }, 'reasoning: Extra inputs are not permitted'],
    ['an empty text', { messages: [{ role: 'user', content: '' }] }, 'non-empty'],
    ['an answer first', { messages: [{ role: 'assistant', content: 'x' }] }, 'first message'],
    ['a budget without its figure', { thinking: { type: 'enabled' } }, 'budget_tokens: Field required'],
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 10 } }, 'greater than or equal to 1024'],
    [
      'a budget over the limit',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      '`max_tokens` must be',
    ],
    ['a kind of thinking that there is not', { thinking: { type: 'deep' } }, "tag 'deep'"],
    ['a temperature', { temperature: 1 }, 'temperature: Extra inputs are not permitted'],
    [
      'a forced tool with thinking',
      { ...ADAPTIVE, tools: TOOLS, tool_choice: { type: 'any' } },
      'forces tool use',
    ],
  ])('refuses %s', async (_what, wrong, message) => {
    await expect(client.messages.create({ ...ASK, ...wrong } as typeof ASK)).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      apiMessage: expect.stringContaining(message),
    });
  });

  const post = async (headers: Record<string, string>, over: object = {}) => {
    const body = JSON.stringify({ ...ASK, ...over });
    const response = await fetch(`${simulator.origin}/v1/messages`, { method: 'POST', headers, body });
    return `${response.status} ${await response.text()}`;
  };
  const version = { 'anthropic-version': '2023-06-01' };

  it('S2-04 refuses a budget of thinking on newer models', async () => {
    const newer = { model: 'claude-opus-4-8', thinking: { type: 'enabled', budget_tokens: 1024 } };
    expect(await post({ ...version, 'x-api-key': 'any' }, newer)).toMatch(/^400 .*not supported for this/);
  });

  it('takes a temperature by the older version of the API, but not together with thinking', async () => {
    const older = { ...version, 'x-api-key': 'any' };
    expect(await post(older, { temperature: 0 })).toMatch(/^200/);
    expect(await post(older, { ...ADAPTIVE, temperature: 0 })).toMatch(/^400 .*only be set to 1/);
    expect(await post({ ...older, 'anthropic-version': '2024-01-01' })).toMatch(/^400 .*not a valid version/);
  });

  it('wants a key and a version', async () => {
    expect(await post(version)).toMatch(/^401 .*authentication_error/);
    expect(await post({ 'x-api-key': 'any' })).toMatch(/^400 /);
    expect(await post({ ...version, 'x-api-key': 'any' })).toMatch(/^200 /);
    expect(await post({ ...version, authorization: 'Bearer any' })).toMatch(/^200 /);
    simulator.setScript({ key: 'this one' });
    expect(await post({ ...version, 'x-api-key': 'any' })).toMatch(/^401 /);
  });

  it('fails in the middle of a stream as Anthropic does', async () => {
    simulator.setScript({ then: { kind: 'status', status: 529, late: true } });
    const streamed = client.messages.stream(ASK).finalMessage();
    await expect(streamed).rejects.toMatchObject({ type: 'overloaded_error' });
  });

  it.each([
    [{ status: 429 }, 'rate_limit_error', null],
    [{ status: 429, code: 'insufficient_quota' }, 'rate_limit_error', 'enforced_spend_limit_reached'],
    [{ status: 402 }, 'billing_error', null],
    [{ status: 500 }, 'api_error', null],
    [{ status: 529 }, 'overloaded_error', null],
  ])('fails with %j as Anthropic does', async (failure, type, errorCode) => {
    simulator.setScript({ replies: [{ kind: 'status', ...failure }] });
    await expect(client.messages.create(ASK)).rejects.toMatchObject({
      status: failure.status,
      type,
      errorCode,
    });
  });
});
