import type { JsonObject } from '@casefile/contracts';
import fc from 'fast-check';
import { argumentCheck, argumentValues } from './arguments.js';
import { placeArguments } from './place-arguments.js';
import type { HttpRequest } from './protocols/http.js';
import { readDataSource } from './source-schema.js';

const NOW = Date.parse('2026-01-05T10:00:00Z');
const BASE = 'https://metrics.example:9443/base';
const answer = { rows: 'data' };
const about = 'An argument of the test';

const sourceOf = (requests: object) =>
  readDataSource({
    name: 'test',
    title: 'Test',
    about: 'A service that exists in this test alone.',
    kinds: ['any'],
    documentation: 'https://docs.example/api',
    probe: { request: 'look' },
    requests: { look: { about: 'Looks something up.', answer, ...requests } },
  });

const { look } = sourceOf({
  post: '/v1/{first}/items/{second}',
  isRead: true,
  query: { q: '{text}', fixed: 'a=b&c', label: 'app={second}' },
  body: { query: { match: '{text}' }, list: ['{second}', { deep: '{text}' }], size: '{count}' },
  arguments: {
    first: { type: 'text', about },
    second: { type: 'name', about },
    text: { type: 'text', about },
    count: { type: 'integer', about, most: 10, default: 3 },
  },
}).requests as { look: HttpRequest };

const placed = (request: HttpRequest, args: JsonObject) =>
  placeArguments(request, argumentValues(request.arguments, args, NOW));

const hostile = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }),
  fc.constantFrom(
    '..',
    '.',
    '../..',
    '%2e%2e',
    '//evil.example',
    '\\\\evil',
    '@evil.example:80/',
    '?x=1',
    '#',
    '&fixed=2',
  ),
  fc.constantFrom(
    '","match_all":{}',
    '{second}',
    '{text}',
    '\r\nHost: evil.example',
    'http://evil.example/',
    '__proto__',
  ),
);

describe('T-61 an argument stays in its place', () => {
  const checked = ({ arguments: specs }: HttpRequest, args: JsonObject) =>
    Object.entries(specs).every(([name, spec]) => argumentCheck(spec).safeParse(args[name]).success);

  it('changes neither host, port, path around it, parameters nor fields, whatever it contains', () => {
    let placedCount = 0;
    fc.assert(
      fc.property(hostile, hostile, hostile, (first, name, text) => {
        const second = name.replace(/[^\w/:.@-]/g, '') || 'x';
        const args = { first, second, text };
        if (!checked(look, args)) return;
        let request;
        try {
          request = placed(look, args);
        } catch (error) {
          // The only refusal: a part of the path that a URL resolves.
          expect(error).toMatchObject({ reasonCode: 'invalid_arguments' });
          expect([first, second].some((part) => /^\.{0,2}$/.test(part))).toBe(true);
          return;
        }
        placedCount += 1;
        const url = new URL(BASE + request.path);
        expect(url.origin).toBe('https://metrics.example:9443');
        const parts = url.pathname.split('/');
        expect(parts.map(decodeURIComponent)).toEqual(['', 'base', 'v1', first, 'items', second]);
        expect([...url.searchParams]).toEqual([
          ['q', text],
          ['fixed', 'a=b&c'],
          ['label', `app=${second}`],
        ]);
        expect(url.hash).toBe('');
        const body = JSON.parse(JSON.stringify(request.body)) as object;
        expect(body).toEqual({ query: { match: text }, list: [second, { deep: text }], size: 3 });
      }),
      { numRuns: 2_000 },
    );
    expect(placedCount).toBeGreaterThan(500);
  });

  it.each(['..', '.'])('refuses %s as a part of a path', (first) => {
    expect(() => placed(look, { first, second: 'a', text: 'b' })).toThrow(/a part of the path/);
  });

  it('lets nothing end a quoted text of a query language: inside a longer text only names are allowed', () => {
    const quoted = { get: '/q', query: { query: '{app="{app}"}' } };
    const wrong = () => sourceOf({ ...quoted, arguments: { app: { type: 'text', about } } });
    expect(wrong).toThrow(/query\.query: expected \{app\} alone, or another type than text for app/);
    const request = sourceOf({ ...quoted, arguments: { app: { type: 'name', about } } }).requests[
      'look'
    ] as HttpRequest;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (app) => {
        if (!checked(request, { app })) return;
        expect(app).toMatch(/^[\w.:/@-]+$/);
      }),
    );
    expect(checked(request, { app: 'a"} or {b="' })).toBe(false);
  });

  it('leaves out a parameter or field whose argument is not given', () => {
    const request = sourceOf({
      get: '/q',
      query: { a: '{a}', b: 'x={b}' },
      arguments: { a: { type: 'text', about, optional: true }, b: { type: 'name', about, optional: true } },
    }).requests['look'] as HttpRequest;
    expect(placed(request, {}).path).toBe('/q');
    expect(placed(request, { b: 'y' }).path).toBe('/q?b=x%3Dy');
  });

  it.each([
    ['seconds', '2026-01-05T09:00:00Z', `${(NOW - 3_600_000) / 1_000}`],
    ['seconds', '-1h', `${(NOW - 3_600_000) / 1_000}`],
    ['milliseconds', 'now', `${NOW}`],
    ['nanoseconds', '2026-01-05T11:30:00+01:00', `${NOW + 1_800_000}000000`],
    ['iso', '-1d', '2026-01-04T10:00:00.000Z'],
  ])('sends a time in %s: %s', (as, at, sent) => {
    const request = sourceOf({
      get: '/q',
      query: { at: '{at}' },
      arguments: { at: { type: 'time', about, as } },
    });
    const { path } = placed(request.requests['look'] as HttpRequest, { at });
    expect(new URL(path, BASE).searchParams.get('at')).toBe(sent);
  });
});

it('T-61 a source declares its search by a request that it has', () => {
  const file = {
    name: 'web',
    title: 'Web',
    about: 'A search that exists in this test alone.',
    kinds: ['any'],
    documentation: 'https://docs.example/api',
    probe: { request: 'find', arguments: { query: 'x' } },
    requests: {
      find: {
        about: 'Finds pages by words.',
        get: '/find',
        query: { q: '{query}' },
        arguments: { query: { type: 'text', about } },
        answer: { pages: 'results', url: 'url', title: 'title', text: 'text' },
      },
    },
  };
  expect(readDataSource({ ...file, search: 'find' }).search).toBe('find');
  expect(() => readDataSource({ ...file, search: 'search' })).toThrow(/search: expected one of find/);
});

describe('T-61 a source file is checked when it is read', () => {
  const get = '/q';
  it.each<[string, object, RegExp]>([
    ['a method that writes', { put: '/q' }, /requests\.look: .*put/],
    ['a POST that is not declared as a read', { post: '/q' }, /isRead: expected isRead: true/],
    ['no request', {}, /requests\.look: expected either get or post/],
    [
      'an argument without a place',
      { get, arguments: { a: { type: 'text', about } } },
      /arguments\.a: expected \{a\} in the request/,
    ],
    ['a place without an argument', { get: '/{a}' }, /get: expected an argument named a/],
    ['a path to another host', { get: '//evil.example/q' }, /expected/],
    ['a path that climbs', { get: '/a/../b' }, /get: expected a path without \. and \.\./],
    ['a body of a GET request', { get, body: {} }, /body: expected a body for a POST request only/],
    [
      'an unknown type',
      { get: '/{a}', arguments: { a: { type: 'url', about } } },
      /arguments\.a\.type: expected a type: text, name/,
    ],
    [
      'pages of a request that is not declared as the search',
      { get, answer: { pages: 'results', url: 'url', title: 'title', text: 'text' } },
      /requests\.look\.answer: expected search: look/,
    ],
    ['a wrong path in the answer', { get, answer: { rows: 'a..b' } }, /answer/],
    [
      'a wrong default',
      { get: '/{a}', arguments: { a: { type: 'one-of', values: ['x'], default: 'y', about } } },
      /a\.default: expected one of x/,
    ],
  ])('refuses %s', (_what, request, problem) => {
    expect(() => sourceOf(request)).toThrow(problem);
  });
});
