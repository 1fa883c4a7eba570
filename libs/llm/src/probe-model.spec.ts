import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock } from '@casefile/contracts/testing';
import { createRefusalMemory } from './optional-params.js';
import { probeModel, probeParams } from './probe-model.js';
import { readProviderTable, resolveProvider } from './provider-table.js';

type Reply = { status: number; body: object } | 'hang';
const servers: Server[] = [];

/** A server that answers each of these paths, 404 elsewhere. */
async function serverOf(replies: Record<string, Reply>): Promise<{ origin: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer(({ method, url = '', headers }, response) => {
    const key = headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'];
    seen.push(`${method} ${url} ${String(key)}`);
    const reply = replies[url] ?? { status: 404, body: {} };
    if (reply === 'hang') return;
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const VARIABLES = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' };
const probe = (name: string, baseUrl: string, timeoutMs?: number) => {
  const provider = resolveProvider({
    table: readProviderTable(),
    name,
    env: VARIABLES,
    model: 'm-1',
    baseUrl,
  });
  return probeModel(provider, { clock: manualClock(), ...(timeoutMs !== undefined && { timeoutMs }) });
};
const ok = (body: object): Reply => ({ status: 200, body });

describe('whether a model answers', () => {
  it.each([
    ['openai', '/v1', '/v1/models', { data: [{ id: 'm-0' }, { id: 'm-1' }] }, 'Bearer k'],
    ['anthropic', '', '/v1/models', { data: [{ type: 'model', id: 'm-1' }] }, 'k'],
    ['gemini', '/v1beta', '/v1beta/models', { models: [{ name: 'models/m-1' }] }, 'k'],
  ])('is asked of the list of models of %s, which costs nothing', async (name, base, path, body, key) => {
    const { origin, seen } = await serverOf({ [path]: ok(body) });
    expect(await probe(name, origin + base)).toMatchObject({
      provider: name,
      model: 'm-1',
      answers: true,
      why: null,
    });
    expect(seen).toEqual([`GET ${path} ${key}`]);
  });

  it('finds a model by its own address where the list has it under another name', async () => {
    const { origin } = await serverOf({ '/v1/models': ok({ data: [] }), '/v1/models/m-1': ok({ id: 'm' }) });
    expect(await probe('openai', `${origin}/v1`)).toMatchObject({ answers: true });
  });

  it('asks for a tiny completion where there is no list, and only there', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'OK' }, finish_reason: 'stop' }];
    const { origin, seen } = await serverOf({ '/v1/chat/completions': ok({ model: 'm-1', choices }) });
    expect(await probe('ollama', `${origin}/v1`)).toMatchObject({ answers: true });
    expect(seen.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'GET /v1/models',
      'POST /v1/chat/completions',
    ]);
  });

  it.each<[string, Record<string, Reply>, RegExp]>([
    ['an unknown model', { '/v1/models': ok({ data: [{ id: 'other' }] }) }, /^unknown model: m-1/],
    ['a refused key', { '/v1/models': { status: 401, body: {} } }, /^key refused \(HTTP 401\)$/],
    ['a failing server', { '/v1/models': { status: 500, body: {} } }, /^HTTP 500$/],
    ['a server that never answers', { '/v1/models': 'hang' }, /^no answer within 0.05 s$/],
    ['a server that knows neither list nor model', {}, /404|could not|not found/i],
  ])('says why not: %s', async (_what, replies, why) => {
    const { origin } = await serverOf(replies);
    const found = await probe('openai', `${origin}/v1`, replies['/v1/models'] === 'hang' ? 50 : undefined);
    expect(found).toMatchObject({ answers: false, why: expect.stringMatching(why) });
  });

  it.each([4190, 6000, 10_080])('says that requests to port %d are barred', async (port) => {
    expect(await probe('ollama', `http://127.0.0.1:${port}/v1`)).toMatchObject({
      answers: false,
      why: expect.stringContaining('bad port'),
    });
  });

  it('finds what an own server refuses, and asks nothing where a key is paid for', async () => {
    const refusals = createRefusalMemory();
    const asked: string[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString('utf8')));
      request.on('end', () => {
        asked.push(text);
        const isRefused = text.includes('response_format');
        const message = 'response_format is not known here';
        const choices = [{ index: 0, message: { role: 'assistant', content: 'OK' }, finish_reason: 'stop' }];
        response
          .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(isRefused ? { error: { message } } : { model: 'm-1', choices }));
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const providerOf = (name: string, env: Record<string, string>) =>
      resolveProvider({ table: readProviderTable(), name, env, model: 'm-1', baseUrl });
    const options = { clock: manualClock(), refusals };
    expect(await probeParams(providerOf('vllm', {}), options)).toEqual(['answerSchema']);
    expect(refusals.of({ name: 'vllm', baseUrl, model: 'm-1' }).has('answerSchema')).toBe(true);
    expect(asked).toHaveLength(2);
    expect(await probeParams(providerOf('openai', VARIABLES), options)).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('says that nothing listens there', async () => {
    const { origin } = await serverOf({});
    const gone = servers.pop()!;
    await new Promise((resolve) => gone.close(resolve));
    expect(await probe('openai', `${origin}/v1`)).toMatchObject({
      answers: false,
      why: 'connection refused',
    });
  });
});
