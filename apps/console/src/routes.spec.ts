import { readdirSync, readFileSync } from 'node:fs';
import { kinds } from '@casefile/shipped/loaded';
import examples from './examples.json' with { type: 'json' };
import { openApiDocument } from './openapi.js';
import { routes } from './routes/index.js';

const folder = new URL('./routes/', import.meta.url);
const files = readdirSync(folder).filter((name) => name !== 'index.ts' && !name.endsWith('.spec.ts'));

describe('the route table', () => {
  it('has every route of the folder, each under a name of its own', () => {
    const named = files.flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      return [...text.matchAll(/operationId: '(\w+)'/g)].map(([, name]) => name);
    });
    expect(routes.map(({ operationId }) => operationId).sort()).toEqual(named.sort());
    expect(new Set(named).size).toBe(named.length);
  });

  it('names each method and path once', () => {
    const keys = routes.map((route) => `${route.method} ${route.path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('declares the parameters that its paths have', () => {
    for (const { path, input } of routes) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(input.params?.shape ?? {})).toEqual(inPath);
    }
  });
});

describe('openApiDocument', () => {
  const document = openApiDocument(routes, kinds) as unknown as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { parameters: { name: string; in: string; schema: object }[]; requestBody?: object }>
    >;
  };

  it('describes every route', () => {
    for (const { method, path } of routes) expect(document.paths[path]?.[method]).toBeDefined();
    expect(document.openapi).toBe('3.1.0');
  });

  it('shows the example case of a kind, and none if the kind is not there', () => {
    const answerOf = (some: typeof kinds) => {
      const { paths } = openApiDocument(routes, some) as unknown as typeof document;
      return JSON.stringify(paths['/cases']?.['get']);
    };
    expect(answerOf(kinds)).toContain(`"playbook":"${kinds[0]?.playbook.name}"`);
    expect(answerOf(kinds.slice(1))).not.toContain('"playbook":"');
  });

  it('takes parameters and bodies from the schemas that requests are checked by', () => {
    const list = document.paths['/cases']?.['get']?.parameters ?? [];
    expect(list.map((parameter) => parameter.name)).toEqual(
      expect.arrayContaining(['status', 'playbook', 'action', 'lane', 'q', 'from', 'to', 'cursor', 'limit']),
    );
    expect(list.find((parameter) => parameter.name === 'lane')?.schema).toMatchObject({
      enum: ['live', 'shadow', 'replay', 'batch'],
    });
    expect(list.find((parameter) => parameter.name === 'limit')?.schema).toMatchObject({
      maximum: 200,
      default: 50,
    });
    expect(document.paths['/cases/{caseId}']?.['get']?.parameters).toMatchObject([
      { name: 'caseId', in: 'path', required: true },
    ]);
    expect(document.paths['/dead-letters/redrive']?.['post']?.requestBody).toBeDefined();
  });

  const json = routes.flatMap(({ operationId, input, response }) =>
    typeof response === 'string' ? [] : [{ operationId, body: input.body, response }],
  );
  it.each(json)('shows a request and an answer of $operationId, as its schemas accept them', (one) => {
    const example = examples[one.operationId as keyof typeof examples] as { body?: unknown; answer: unknown };
    expect(example).toBeDefined();
    expect(one.response.safeParse(example.answer).error?.issues).toBeUndefined();
    if (example.body !== undefined) expect(one.body?.safeParse(example.body).error?.issues).toBeUndefined();
  });

  it('has no example of an operation that is not there', () => {
    const known = json.map(({ operationId }) => operationId);
    expect(Object.keys(examples).filter((operation) => !known.includes(operation))).toEqual([]);
  });
});
