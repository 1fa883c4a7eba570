import { manualClock } from '@casefile/contracts/testing';
import type { Logger } from '@casefile/contracts';
import { silentLogger } from '@casefile/contracts';
import { createLanguageModel } from '../create-language-model.js';
import type { ProviderEntry } from '../provider-entry.js';
import { readProviderTable } from '../provider-table.js';
import { aModelRequest, someCallOptions, startFakeProvider } from '../testing/index.js';
import type { FakeProvider } from '../testing/index.js';

function entryFor(baseUrl: string, over: object = {}): ProviderEntry {
  const fake = {
    protocol: 'openai-chat',
    baseUrl,
    model: 'fake-model',
    keyVariable: 'FAKE_API_KEY',
    structuredOutput: 'json_schema',
    limits: { responseBytes: 2_000_000 },
    timeoutMs: 20_000,
    ...over,
  };
  const entry = readProviderTable({ fake }).get('fake');
  if (entry === undefined) throw new Error('no entry');
  return entry;
}

function modelFor(
  server: FakeProvider,
  over: object = {},
  log: Logger = silentLogger,
  ownFetch?: typeof fetch,
) {
  const options = { apiKey: 'sk-secret', clock: manualClock(), log, ...(ownFetch && { fetch: ownFetch }) };
  return createLanguageModel(entryFor(server.baseUrl, over), options);
}

describe('openai-chat', () => {
  let server: FakeProvider;
  beforeAll(async () => void (server = await startFakeProvider()));
  afterAll(() => server.close());
  const lastBody = () => server.requests().at(-1)?.body;

  it('S1-24 asks strictly for a closed schema, and for plain JSON where only that is known', async () => {
    server.behave({ kind: 'answer', content: '{}' });
    const closed = { type: 'object', properties: {}, required: [], additionalProperties: false };
    const request = aModelRequest({ answerSchema: { name: 'a', schema: closed } });
    await modelFor(server).complete(request, someCallOptions());
    expect(lastBody()?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'a', strict: true },
    });
    await modelFor(server, { structuredOutput: 'json_object' }).complete(request, someCallOptions());
    expect(lastBody()?.response_format).toEqual({ type: 'json_object' });
    await modelFor(server, { structuredOutput: 'none' }).complete(request, someCallOptions());
    expect(lastBody()).not.toHaveProperty('response_format');
  });

  it('S2-13 keeps the answer when reading its reasoning fails, and logs it', async () => {
    const logged: object[] = [];
    const log = { ...silentLogger, error: (facts: object) => void logged.push(facts) };
    server.behave({ kind: 'answer', content: '<think>a</think>b' });
    const entry = { ...entryFor(server.baseUrl), reasoningTags: [Symbol('broken') as unknown as string] };
    const model = createLanguageModel(entry, { apiKey: null, clock: manualClock(), log });
    const response = await model.complete(aModelRequest(), someCallOptions());
    expect(response).toMatchObject({ content: '<think>a</think>b', reasoning: null });
    expect(logged).toEqual([expect.objectContaining({ reasonCode: 'reasoning_not_read' })]);
  });

  it('S2-22 marks what no store takes, in the answer and in the raw body', async () => {
    server.behave({ kind: 'answer', content: 'a\0b\uD800c', reasoning: '\0' });
    const response = await modelFor(server).complete(aModelRequest(), someCallOptions());
    expect(response.content).toBe('a\uFFFDb\uFFFDc');
    expect(response.reasoning?.content).toBe('\uFFFD');
    expect(JSON.stringify(response.raw)).not.toMatch(/\\u0000|\\ud800/);
  });

  it('S2-22 keeps the beginning of a body that is too long for the record, and says so', async () => {
    server.behave({ kind: 'answer', content: 'x'.repeat(1_500_000) });
    const request = aModelRequest({ maxOutputTokens: 400_000 });
    const response = await modelFor(server).complete(request, someCallOptions());
    expect(response.content).toHaveLength(1_500_000);
    expect(response.raw).toMatchObject({ bodyLeftOut: true, beginning: expect.stringContaining('chatcmpl') });
  });

  it('never repeats its key in an error', async () => {
    server.behave({ kind: 'status', status: 401, message: 'Incorrect API key provided: sk-secret' });
    const failure: unknown = await modelFor(server)
      .complete(aModelRequest(), someCallOptions())
      .catch((e: unknown) => e);
    expect(String(failure)).toContain('Incorrect API key provided: (key)');
    expect(JSON.stringify(failure)).not.toContain('sk-secret');
  });

  it('says that a server is not there', async () => {
    const gone = await startFakeProvider();
    await gone.close();
    const asked = modelFor(gone).complete(aModelRequest(), someCallOptions());
    await expect(asked).rejects.toMatchObject({ reasonCode: 'network', retryable: true });
  });

  it('gives up a fetch that does not even hear its signal', async () => {
    const deaf = () => new Promise<Response>(() => undefined);
    const asked = modelFor(server, { timeoutMs: 20 }, silentLogger, deaf).complete(
      aModelRequest(),
      someCallOptions(),
    );
    await expect(asked).rejects.toMatchObject({ reasonCode: 'timeout' });
  });
});
