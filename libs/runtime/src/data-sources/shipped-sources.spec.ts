import { silentLogger } from '@casefile/contracts';
import { inProcessRunner, manualClock } from '@casefile/contracts/testing';
import { dataSourceTools, definedTools, type DataSource } from '@casefile/evidence';
import { json, raw, startLocalService } from '@casefile/evidence/testing';
import { RECORDED } from './testing/recorded-answers.js';
import { readSourceFile, shippedSources } from './shipped-sources.js';

const sources = shippedSources();
const never = new AbortController().signal;
const context = { signal: never, clock: manualClock(), log: silentLogger };

const toolOf = (source: DataSource, url: string, request: string) => {
  const placed = { name: source.name, source, url, secret: null, scheme: 'bearer' as const, set: {} };
  const tools = definedTools(dataSourceTools(placed, inProcessRunner), {}, { limits: {} });
  return tools.find(({ name }) => name === `${source.name}__${request}`)!;
};

describe('T-61 shipped data sources', () => {
  it('has a recorded answer for each request over HTTP, except for those of the probe', () => {
    const requests = sources
      .filter(({ name, protocol }) => protocol === 'http' && name !== 'http-probe')
      .flatMap(({ name, requests: own }) => Object.keys(own).map((request) => `${name} ${request}`));
    const recorded = Object.entries(RECORDED).flatMap(([name, own]) =>
      Object.keys(own).map((request) => `${name} ${request}`),
    );
    expect(recorded.sort()).toEqual(requests.sort());
  });

  it.each(sources.map((source) => [source.name, source] as const))(
    '%s probes with valid arguments',
    (_name, source) => {
      const tool = toolOf(source, 'http://127.0.0.1:1', source.probe.request);
      expect(tool.args.safeParse(source.probe.arguments)).toMatchObject({ success: true });
      expect(source.tested).toBeDefined();
    },
  );

  it('kubernetes reads named resources alone, and never Secrets', () => {
    const { requests } = sources.find(({ name }) => name === 'kubernetes')!;
    const paths = Object.values(requests).map((request) => (request as { get?: string }).get);
    expect(paths.every((get) => !/secrets|configmaps|serviceaccounts|proxy|exec/.test(get!))).toBe(true);
    const kinds = paths.map((get) =>
      get!
        .split('/')
        .filter((part) => !part.startsWith('{'))
        .at(-1),
    );
    expect(kinds.sort()).toEqual(['deployments', 'events', 'log', 'nodes', 'pods', 'replicasets']);
  });

  it.each(
    Object.entries(RECORDED).flatMap(([source, own]) =>
      Object.entries(own).map(([request, lookUp]) => [`${source} ${request}`, lookUp] as const),
    ),
  )('%s finds what a documented answer says', async (name, { args, line, answer, finds }) => {
    const [sourceName, request = ''] = name.split(' ');
    const source = sources.find((one) => one.name === sourceName)!;
    const service = await startLocalService(
      typeof answer === 'string' ? raw(answer, 200, { 'content-type': 'text/plain' }) : json(answer),
    );
    try {
      const tool = toolOf(source, service.baseUrl, request);
      expect(tool.args.safeParse(args)).toMatchObject({ success: true });
      expect(await tool.run(args, context)).toMatchObject({
        result: typeof finds === 'string' ? { text: finds } : { results: finds },
      });
      expect(service.requests.map((one) => one.line)).toEqual([line]);
    } finally {
      await service.close();
    }
  });

  it('elasticsearch sends a query as a value of its body', async () => {
    const source = sources.find(({ name }) => name === 'elasticsearch')!;
    const { answer, args } = RECORDED['elasticsearch']!['search']!;
    const service = await startLocalService(json(answer as object as never));
    try {
      await toolOf(source, service.baseUrl, 'search').run({ ...args, query: '"}}],"x":{"' }, context);
      const body = JSON.parse(service.requests[0]!.body) as {
        size: number;
        query: { bool: { must: object[] } };
      };
      expect(body).toMatchObject({
        size: 50,
        query: { bool: { must: [{ query_string: { query: '"}}],"x":{"' } }] } },
      });
      expect(Object.keys(body)).toEqual(['size', 'timeout', 'sort', 'query']);
    } finally {
      await service.close();
    }
  });
});

describe('T-61 a source file', () => {
  it('of one request has few lines', () => {
    const text = `
name: vendors
title: Register of vendors
about: Vendors of the company with their states.
documentation: https://wiki.example/vendors
kinds: [incident]
probe: { request: vendor, arguments: { number: '1' } }
requests:
  vendor:
    about: Reads one vendor by its number.
    get: /vendors/{number}
    arguments:
      number: { type: name, about: Number of the vendor }
    answer: { rows: $, subject: 'vendor {number}', text: '{state} since {since}' }
`;
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(40);
    expect(readSourceFile(text)).toMatchObject({
      name: 'vendors',
      kinds: ['incident'],
      limits: { rows: 200 },
    });
  });

  it.each([
    ['a: [', /expected YAML/],
    ['name: x', /title: .*requests: /],
    ['{', /expected YAML/],
  ])('that is wrong is refused with the field: %s', (text, problem) => {
    expect(() => readSourceFile(text)).toThrow(problem);
  });
});
