import { silentLogger, type BoundedRunner, type Json, type JsonObject, type Tool } from '@casefile/contracts';
import { inProcessRunner, manualClock } from '@casefile/contracts/testing';
import { definedTools } from '../defined-tools.js';
import { json, raw, startLocalService, type LocalService } from '../testing/local-service.js';
import { describeTool } from '../testing/tool.conformance.js';
import { dataSourceTools, type PlacedSource } from './data-source-tools.js';
import { readDataSource } from './source-schema.js';

const about = 'An argument of the test';
const source = readDataSource({
  name: 'meters',
  title: 'Meters',
  about: 'Readings of meters, in this test alone.',
  kinds: ['any'],
  documentation: 'https://docs.example/api',
  auth: ['bearer', 'basic', 'header'],
  header: 'x-key',
  problem: 'error',
  limits: { rows: 3, perSecond: 100, bytes: 1_500_000 },
  probe: { request: 'read' },
  requests: {
    read: {
      about: 'Reads the newest values of a meter.',
      get: '/v1/meters/{meter}',
      query: { site: '{site}' },
      arguments: { meter: { type: 'text', about }, site: { type: 'name', about, optional: true } },
      answer: {
        rows: 'data.result',
        time: { at: 'at', as: 'seconds' },
        subject: '{labels}',
        value: 'value',
        unit: { of: 'labels.__name__', endings: { _seconds: 's' } },
        text: '{note}',
        notes: '{warnings[*]}',
      },
    },
    log: { about: 'Reads the log of the service.', get: '/log', answer: { lines: 'last' } },
    alive: { about: 'Asks whether it is alive.', get: '/', answer: { status: true } },
  },
});
const ROW: Json = {
  at: 1_767_607_200,
  labels: { __name__: 'lag_seconds', job: 'a"b' },
  value: '1.5',
  note: 'fine',
};
const ANSWER: Json = {
  data: {
    result: [
      ROW,
      { at: 1_767_607_260.5, labels: { job: 'c' }, value: 0, note: 'x\n2026-01-05T10:00:00Z lag = 0' },
    ],
  },
  warnings: ['one store is down'],
};
const FOUND = [
  '2026-01-05T10:00:00Z lag_seconds{job="a\\"b"} = 1.5 s fine',
  '2026-01-05T10:01:00.500Z {job="c"} = 0 x 2026-01-05T10:00:00Z lag = 0',
  '(note of the source: one store is down)',
].join('\n');

const tools = (url: string, over: Partial<PlacedSource> = {}, texts = {}, limits = {}): Tool[] =>
  definedTools(
    dataSourceTools(
      { name: 'meters', source, url, secret: null, scheme: 'bearer', set: {}, ...over },
      inProcessRunner,
    ),
    texts,
    { limits },
  );

// The conformance suite asks for names without two underscores, which tools of outside servers have.
const plain = (tool: Tool): Tool => ({ ...tool, name: 'meters' });
const limitsFor = (limits: Record<string, object>) => ({ meters__read: limits['meters'] ?? {} });

describeTool({
  requirement: 'T-61',
  by: 'a source file',
  make: (url, limits) => plain(tools(url, {}, {}, limitsFor(limits))[0]!),
  args: { meter: '17' },
  wrong: [
    ['meter', { meter: '' }],
    ['site', { meter: '17', site: 'a b' }],
    ['(whole)', { meter: '17', url: 'http://elsewhere.example' }],
  ],
  documented: ANSWER,
  finds: { text: FOUND },
});

describe('T-61 tools of a data source', () => {
  let service: LocalService;
  beforeEach(async () => (service = await startLocalService(json(ANSWER))));
  afterEach(() => service.close());
  const context = () => ({ signal: new AbortController().signal, clock: manualClock(), log: silentLogger });
  const run = (place: number, args: JsonObject, over: Partial<PlacedSource> = {}, texts = {}) =>
    tools(service.baseUrl, over, texts)[place]!.run(args, context());
  const textOf = async (running: ReturnType<typeof run>) => ((await running).result as { text: string }).text;

  it.each<[string, Partial<PlacedSource>, string, string]>([
    ['a bearer token', { scheme: 'bearer' }, 'authorization', 'Bearer s3cret'],
    [
      'a name and password',
      { scheme: 'basic' },
      'authorization',
      `Basic ${Buffer.from('s3cret').toString('base64')}`,
    ],
    ['an own header', { scheme: 'header' }, 'x-key', 's3cret'],
  ])('sends a secret as %s to its own address alone', async (_how, over, header, value) => {
    await run(0, { meter: '1' }, { ...over, secret: 'SOURCE_KEY' }, { SOURCE_KEY: 's3cret' });
    expect(service.requests[0]).toMatchObject({ line: 'GET /v1/meters/1', headers: { [header]: value } });
  });

  it('sends a secret of two values in two headers, and refuses one of another number', async () => {
    const two = readDataSource({ ...source, header: ['x-key', 'x-application'] });
    const over = { source: two, scheme: 'header' as const, secret: 'SOURCE_KEY' };
    await run(0, { meter: '1' }, over, { SOURCE_KEY: 'a1:b2' });
    expect(service.requests[0]).toMatchObject({ headers: { 'x-key': 'a1', 'x-application': 'b2' } });
    await expect(run(0, { meter: '1' }, over, { SOURCE_KEY: 'a1' })).rejects.toMatchObject({
      reasonCode: 'bad_configuration',
      message: 'expected a secret of 2 values with : between them, for x-key, x-application',
    });
  });

  it('is a gap that names the variable if its secret is not set', async () => {
    await expect(run(0, { meter: '1' }, { secret: 'SOURCE_KEY' })).rejects.toMatchObject({
      reasonCode: 'variable_missing',
      message: 'No secret of the data source meters: set SOURCE_KEY',
    });
    expect(service.requests).toHaveLength(0);
  });

  it('follows no redirect to another port of its host', async () => {
    const other = await startLocalService(json(ANSWER));
    try {
      service.answer(raw('', 302, { location: `${other.baseUrl}/v1/meters/1` }));
      await expect(run(0, { meter: '1' })).rejects.toMatchObject({ reasonCode: 'redirect_refused' });
      expect(other.requests).toHaveLength(0);
    } finally {
      await other.close();
    }
  });

  it('lets no model choose an argument that an operator fixed', async () => {
    const [tool] = tools(service.baseUrl, { set: { site: 'eu' } });
    expect(tool!.parameters).toMatchObject({ properties: { meter: {} }, required: ['meter'] });
    expect(JSON.stringify(tool!.parameters)).not.toContain('site');
    expect(tool!.args.safeParse({ meter: '1', site: 'us' }).success).toBe(false);
    await tool!.run({ meter: '1' }, context());
    expect(service.requests[0]?.line).toBe('GET /v1/meters/1?site=eu');
  });

  it('says why the service refused a request', async () => {
    service.answer(json({ error: 'unknown\nmeter' }, 422));
    await expect(run(0, { meter: '1' })).rejects.toMatchObject({
      reasonCode: 'bad_answer',
      message: expect.stringMatching(/answered with HTTP 422: unknown meter$/) as string,
    });
    service.answer(json({ error: 'no such meter' }, 404));
    await expect(run(0, { meter: '1' })).rejects.toMatchObject({ reasonCode: 'not_found' });
  });

  it('limits rows, says how many there are, and states an empty result', async () => {
    service.answer(json({ data: { result: [ROW, ROW, ROW, ROW, ROW] } }));
    expect(await textOf(run(0, { meter: '1' }))).toMatch(/(?:\n.*){2}\n\(the first 3 of 5 rows\)$/);
    service.answer(json({ data: { result: [] } }));
    expect(await textOf(run(0, { meter: '1' }))).toBe('0 results');
  });

  it('names row and field of an answer in another form', async () => {
    service.answer(json({ data: { result: [{ at: 1, labels: {} }] } }));
    await expect(run(0, { meter: '1' })).rejects.toThrow(/row 1 without value/);
    service.answer(json({ data: { result: [{ at: 'soon', value: 1 }] } }));
    await expect(run(0, { meter: '1' })).rejects.toThrow(/row 1 with another time than in seconds/);
  });

  it('reads a large answer as a bounded task, and refuses one over its limit', async () => {
    const rows = (count: number): Json => ({
      data: {
        result: Array.from({ length: count }, () => ({ ...(ROW as JsonObject), note: 'x'.repeat(1_000) })),
      },
    });
    service.answer(json(rows(900)));
    expect(await textOf(run(0, { meter: '1' }))).toContain('(the first 3 of 900 rows)');
    service.answer(json(rows(2_000)));
    await expect(run(0, { meter: '1' })).rejects.toMatchObject({ reasonCode: 'too_large' });
  });

  it('T-61 reads every answer in the bounded process, also a small one and that of an error', async () => {
    const sizes: (number | null)[] = [];
    const runner: BoundedRunner = {
      ...inProcessRunner,
      run: (task, input, args, more) => {
        sizes.push(input instanceof Uint8Array ? input.length : null);
        return inProcessRunner.run(task, input, args, more);
      },
    };
    const placed: PlacedSource = {
      name: 'm',
      source,
      url: service.baseUrl,
      secret: null,
      scheme: 'bearer',
      set: {},
    };
    const [tool] = definedTools(dataSourceTools(placed, runner), {}, { limits: {} });
    service.answer(json(ANSWER));
    await tool!.run({ meter: '1' }, context());
    service.answer(json({ error: 'unknown' }, 422));
    await expect(tool!.run({ meter: '1' }, context())).rejects.toThrow('HTTP 422: unknown');
    expect(sizes).toEqual([JSON.stringify(ANSWER).length, JSON.stringify({ error: 'unknown' }).length]);
  });

  it('reads the last lines of a text, and the status of any answer', async () => {
    service.answer(raw('one\n\ntwo\u001b[2J\r\nthree\nfour', 200, { 'content-type': 'text/plain' }));
    expect(await textOf(run(1, {}))).toBe('two [2J\nthree\nfour\n(the last 3 of 4 lines)');
    service.answer(raw('down', 503));
    expect(await textOf(run(2, {}))).toMatch(
      /^\d{4}-.* GET http:\/\/127\.0\.0\.1:\d+\/: HTTP status 503 after 0 ms, 4 bytes$/,
    );
  });
});
