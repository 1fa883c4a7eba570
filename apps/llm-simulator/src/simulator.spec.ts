import { connect } from 'node:net';
import { until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from './simulator.js';
import type { BehaviourInput, ScriptInput } from './script.js';

const HELLO = { model: 'any', messages: [{ role: 'user', content: 'hello' }] };

describe('startSimulator', () => {
  let simulator: Simulator;
  beforeAll(async () => void (simulator = await startSimulator()));
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const ask = (body: unknown = HELLO, callKey?: string, signal?: AbortSignal) =>
    fetch(`${simulator.baseUrl}/chat/completions`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(callKey !== undefined && { 'x-casefile-call': callKey }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
  const control = (method: string, path: string, body?: unknown) =>
    fetch(new URL(`/_sim/${path}`, simulator.baseUrl), {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const reply = (...replies: BehaviourInput[]) => simulator.setScript({ replies });

  it('names itself in every answer', async () => {
    const answer = (await (await ask()).json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ model: 'casefile-simulator', system_fingerprint: 'simulated' });
    expect(JSON.stringify(answer.choices)).toContain('Simulated answer');
    const models = await (await fetch(`${simulator.baseUrl}/models`)).json();
    expect(models).toMatchObject({ object: 'list', data: [{ id: 'casefile-simulator' }] });
  });

  it('gives a scripted answer with reasoning, tool calls and usage', async () => {
    const toolCalls = [{ id: 'c1', name: 'scam_db', arguments: '{}' }];
    const usage = { input: 7, output: 5, reasoning: 2, cached: 1 };
    reply({ kind: 'answer', content: 'hi', reasoning: 'why', toolCalls, usage });
    expect(await (await ask()).json()).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'hi',
            reasoning_content: 'why',
            tool_calls: [{ id: 'c1', function: { name: 'scam_db' } }],
          },
        },
      ],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 5,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it('plays the replies in their order and then continues by the rules', async () => {
    reply({ kind: 'answer', content: 'one' }, { kind: 'answer', content: 'two' });
    const said = [];
    for (let n = 0; n < 3; n += 1) said.push(await (await ask()).text());
    expect(
      said.map((text) => ['one', 'two', 'Simulated answer'].findIndex((word) => text.includes(word))),
    ).toEqual([0, 1, 2]);
  });

  it('streams the same answer in pieces', async () => {
    const content = 'A long answer with a 😀 in it, so that more than one piece is needed to say it.';
    reply({ kind: 'answer', content, reasoning: 'why' });
    const response = await ask({ ...HELLO, stream: true, stream_options: { include_usage: true } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
    expect(lines.pop()).toBe('data: [DONE]');
    const chunks = lines.map((line) => JSON.parse(line.replace('data: ', '')));
    const deltas = chunks.flatMap((chunk) => chunk.choices).map((choice) => choice.delta);
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(content);
    expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe('why');
    expect(chunks.flatMap((chunk) => chunk.choices).at(-1).finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
  });

  it.each([429, 500, 529])('answers %s with Retry-After and its code', async (status) => {
    reply({ kind: 'status', status, retryAfterS: 3, code: 'told' });
    const response = await ask();
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.json()).toMatchObject({
      error: { code: 'told', message: expect.stringContaining('Simulated') },
    });
  });

  it('hangs until its caller goes, and counts it as in flight so long', async () => {
    reply({ kind: 'hang' });
    const caller = new AbortController();
    const outcome = ask(HELLO, 'k', caller.signal).catch((thrown: Error) => thrown.name);
    await until('a call is in flight', () => simulator.calls().inFlight === 1);
    caller.abort();
    expect(await outcome).toBe('AbortError');
    await until('no call is in flight', () => simulator.calls().inFlight === 0);
    expect(simulator.calls()).toMatchObject({ total: 1, finished: 0, mostInFlight: 1 });
  });

  it('holds an answer back for its delay, and lets go of it when the caller goes', async () => {
    reply({ kind: 'answer', content: 'late', delayMs: 3_000_000 });
    const caller = new AbortController();
    const outcome = ask(HELLO, 'k', caller.signal).catch((thrown: Error) => thrown.name);
    await until('a call is in flight', () => simulator.calls().inFlight === 1);
    caller.abort();
    expect(await outcome).toBe('AbortError');
    await until('no call is in flight', () => simulator.calls().inFlight === 0);
  });

  it.each([false, true])('cuts the connection within the body, streaming: %s', async (stream) => {
    reply({ kind: 'cut' });
    const response = await ask({ ...HELLO, stream });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('sends malformed JSON, an empty answer, a page, a redirect to itself', async () => {
    reply({ kind: 'malformed' }, { kind: 'empty' }, { kind: 'html' }, { kind: 'redirect' });
    const malformed = await (await ask()).text();
    expect(() => JSON.parse(malformed)).toThrow();
    expect(await (await ask()).json()).toMatchObject({ choices: [{ message: { content: '' } }] });
    expect((await ask()).headers.get('content-type')).toBe('text/html');
    expect(new URL((await ask()).headers.get('location') ?? '', simulator.baseUrl).href).toBe(
      `${simulator.baseUrl}/chat/completions`,
    );
  });

  it('sends as many megabytes as scripted', async () => {
    reply({ kind: 'huge', megabytes: 3 });
    expect((await (await ask()).text()).length).toBe(3_000_002);
  });

  it('R3 counts calls by key and by step', async () => {
    for (const attempt of ['1', '1', '2']) await ask(HELLO, `run-1//reason/1/0/${attempt}`);
    await ask(HELLO, 'run-2//reason/1/0/1');
    await ask();
    expect(await (await control('GET', 'calls')).json()).toMatchObject({
      total: 5,
      withoutKey: 1,
      byKey: { 'run-1//reason/1/0/1': 2, 'run-1//reason/1/0/2': 1, 'run-2//reason/1/0/1': 1 },
      byStep: { 'run-1//reason/1/0': 3, 'run-2//reason/1/0': 1 },
    });
    expect(simulator.requests()[0]).toEqual({
      callKey: 'run-1//reason/1/0/1',
      protocol: 'openai-chat',
      body: HELLO,
    });
  });

  it('gets its script over HTTP, and forgets it again', async () => {
    const script: ScriptInput = { then: { kind: 'answer', content: 'scripted' } };
    expect((await control('PUT', 'script', script)).status).toBe(200);
    expect(await (await ask()).text()).toContain('scripted');
    expect(await (await control('GET', 'requests')).json()).toMatchObject({ requests: [{ body: HELLO }] });
    await control('POST', 'reset');
    expect(await (await ask()).text()).not.toContain('scripted');
    expect(simulator.calls().total).toBe(1);
  });

  it.each([
    ['not JSON', '{"model":', 400],
    ['a list', '[]', 400],
    ['no messages', { model: 'x', messages: [] }, 400],
    ['a text for messages', { model: 'x', messages: 'hello' }, 400],
    ['nothing', '', 400],
    ['too much', `{"model":"${'x'.repeat(20_000_001)}"}`, 413],
  ])('survives a body that is %s', async (_what, body, status) => {
    expect((await ask(body)).status).toBe(status);
    expect((await ask()).status).toBe(200);
  });

  it('survives a wrong script, path, method and what is no HTTP at all', async () => {
    const wrong = await control('PUT', 'script', { then: { kind: 'explode' }, delayMs: -1 });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toMatch(/then\.kind.*delayMs/);
    expect((await control('GET', 'script')).status).toBe(404);
    expect((await fetch(`${simulator.baseUrl}/../constructor`)).status).toBe(404);
    await new Promise<void>((resolve) => {
      const socket = connect(simulator.port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.resume().on('close', () => resolve());
    });
    expect((await ask()).status).toBe(200);
  });

  it('says that its port is taken', async () => {
    await expect(startSimulator({ port: simulator.port })).rejects.toMatchObject({
      reasonCode: 'port_not_free',
    });
  });
});
