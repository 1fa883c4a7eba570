import { readdirSync } from 'node:fs';
import { until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '../simulator.js';
import type { BehaviourInput } from '../script.js';
import { WIRES } from './index.js';

const GEMINI = '/v1beta/models/any';
const MESSAGES = [{ role: 'user', content: 'hello' }];
const CONTENTS = [{ role: 'user', parts: [{ text: 'hello' }] }];
/** Smallest request of each wire, whole and streamed. */
const ASKED = [
  ['openai-chat', '/v1/chat/completions', { model: 'any', messages: MESSAGES }],
  ['openai-responses', '/v1/responses', { model: 'any', input: 'hello' }],
  ['anthropic', '/v1/messages', { model: 'any', max_tokens: 10, messages: MESSAGES }],
  ['gemini', `${GEMINI}:generateContent`, { contents: CONTENTS }],
] as const;
const STREAMED = ASKED.map(([name, path, body]) =>
  name === 'gemini'
    ? ([name, `${GEMINI}:streamGenerateContent?alt=sse`, body] as const)
    : ([name, path, { ...body, stream: true }] as const),
);
const KEYS = { 'x-api-key': 'any', 'x-goog-api-key': 'any', 'anthropic-version': '2023-06-01' };

it('every wire of the folder is on the list', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.spec.ts'));
  const named = files.map((file) => file.replace('.spec.ts', '')).filter((name) => name !== 'wires');
  expect(WIRES.map(({ protocol }) => protocol).sort()).toEqual(named.sort());
});

describe.each(ASKED)('S2-01 on %s', (protocol, path, body) => {
  let simulator: Simulator;
  beforeAll(async () => void (simulator = await startSimulator()));
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const streamed = STREAMED.find(([name]) => name === protocol) ?? [protocol, path, body];
  const ask = (target: string = path, sent: object | string = body, init: RequestInit = {}) =>
    fetch(simulator.origin + target, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...KEYS, 'x-casefile-call': 'run/u/s/1/0/1' },
      body: typeof sent === 'string' ? sent : JSON.stringify(sent),
      ...init,
    });
  const stream = () => ask(streamed[1], streamed[2]);
  const reply = (...replies: BehaviourInput[]) => simulator.setScript({ replies });

  it('names itself in whole and streamed answers, and counts them', async () => {
    for (const response of [await ask(), await stream()]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('server')).toBe('casefile-simulator');
      const text = await response.text();
      expect(text).toContain('casefile-simulator');
      expect(text).toContain('Simulated answer');
    }
    expect(simulator.calls()).toMatchObject({
      total: 2,
      byProtocol: { [protocol]: 2 },
      byKind: { rules: 2 },
      byStep: { 'run/u/s/1/0': 2 },
    });
    expect(simulator.requests()[0]).toMatchObject({ protocol, body });
  });

  it.each([429, 500, 529])('fails with %s, Retry-After and its own shape', async (status) => {
    reply({ kind: 'status', status, retryAfterS: 3, message: 'told so' });
    const response = await ask();
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('3');
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe('told so');
  });

  it('hangs until its caller goes', async () => {
    reply({ kind: 'hang' });
    const caller = new AbortController();
    const outcome = ask(path, body, { signal: caller.signal }).catch((thrown: Error) => thrown.name);
    await until('a call is in flight', () => simulator.calls().inFlight === 1);
    caller.abort();
    expect(await outcome).toBe('AbortError');
    await until('no call is in flight', () => simulator.calls().inFlight === 0);
  });

  it('breaks off within the body, whole and streamed', async () => {
    reply({ kind: 'cut' }, { kind: 'cut' });
    for (const response of [await ask(), await stream()]) await expect(response.text()).rejects.toThrow();
  });

  it('sends half an answer as if it were one, whole and streamed', async () => {
    reply({ kind: 'malformed' }, { kind: 'rules' }, { kind: 'malformed' }, { kind: 'rules' });
    for (const send of [ask, stream]) {
      const [half, whole] = [await (await send()).text(), await (await send()).text()];
      expect(half.length).toBeGreaterThan(0);
      expect(half.length).toBeLessThan(whole.length);
      expect(() => JSON.parse(half)).toThrow();
    }
  });

  it('fails behind a 200, in the body or in the middle of the stream', async () => {
    const late = { kind: 'status', status: 529, message: 'told so', late: true } as const;
    reply(late, late);
    const whole = await ask();
    expect(whole.status).toBe(200);
    expect(await whole.json()).toMatchObject({ error: { message: 'told so' } });
    const events = (await (await stream()).text()).trim().split('\n\n');
    expect(events.length).toBeGreaterThan(1);
    expect(events.filter((event) => event.includes('"error":{'))).toEqual([events.at(-1)]);
  });

  it('leads to itself, sends a page, and plays back what it was given', async () => {
    const text = '{"id":"recorded","strange":[null]}';
    reply({ kind: 'redirect' }, { kind: 'html' }, { kind: 'raw', text, status: 201 });
    expect((await ask()).headers.get('location')).toBe(path);
    expect((await ask()).headers.get('content-type')).toBe('text/html');
    const recorded = await ask();
    expect([recorded.status, await recorded.text()]).toEqual([201, text]);
  });

  it.each(['{"model":', '[]', '""', '{}'])('refuses the body %s in its own shape', async (sent) => {
    const response = await ask(path, sent);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
    expect((await ask()).status).toBe(200);
  });

  it('R12 counts by kind, and who asks again though the quota is spent', async () => {
    reply({ kind: 'status', status: 429 }, { kind: 'status', status: 429, code: 'insufficient_quota' });
    for (let n = 0; n < 2; n += 1) await ask();
    expect(simulator.calls()).toMatchObject({ quotaRetried: 0, byKind: { rateLimited: 1, quota: 1 } });
    await ask();
    expect(simulator.calls()).toMatchObject({ quotaRetried: 1, byKind: { rules: 1 } });
  });

  it('R12 storms by a seed alone', async () => {
    simulator.setScript({ faults: { seed: 7 } });
    const caller = new AbortController();
    const calls = Array.from({ length: 150 }, (_none, n) =>
      ask(path, body, {
        headers: { ...KEYS, 'x-casefile-call': `run-${n}/u/s/1/0/1` },
        signal: caller.signal,
      })
        .then((response) => response.text())
        .catch((thrown: Error) => thrown.name),
    );
    await until('all calls have arrived', () => simulator.calls().total === 150);
    await until('only hanging calls are in flight', () => {
      const { inFlight, byKind } = simulator.calls();
      return inFlight === (byKind.hang ?? 0);
    });
    caller.abort();
    await Promise.all(calls);
    const { byKind } = simulator.calls();
    const kinds = ['rateLimited', 'serverError', 'overloaded', 'hang', 'cut', 'malformed', 'empty', 'rules'];
    expect(Object.keys(byKind).sort()).toEqual(kinds.sort());
    expect(Object.values(byKind).reduce((sum, count) => sum + count, 0)).toBe(150);
  });
});

it('lists its one model as each provider does', async () => {
  const simulator = await startSimulator();
  const list = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(simulator.origin + path, { headers })).json();
  const data = [{ id: 'casefile-simulator' }];
  expect(await list('/v1/models')).toMatchObject({ object: 'list', data });
  expect(await list('/v1/models', KEYS)).toMatchObject({ data, has_more: false });
  expect(await list('/v1beta/models')).toMatchObject({ models: [{ name: 'models/casefile-simulator' }] });
  await simulator.close();
});
