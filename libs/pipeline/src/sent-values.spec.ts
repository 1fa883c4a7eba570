import fc from 'fast-check';
import type { Json } from '@casefile/contracts';
import { isPointer, labelsIn, textsIn, valueAt } from './sent-values.js';

/** The document of RFC 6901, section 5, and what each pointer leads to. */
const DOCUMENT: Json = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;
const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Every place of a value, with the pointer to it. */
function* places(value: Json, pointer = ''): Generator<[string, Json]> {
  yield [pointer, value];
  if (Array.isArray(value)) for (const [i, one] of value.entries()) yield* places(one, `${pointer}/${i}`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) yield* places(one as Json, `${pointer}/${escaped(key)}`);
}

describe('a JSON Pointer', () => {
  it.each<[string, Json | undefined]>([
    ['', DOCUMENT],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/foo/00', undefined],
    ['/foo/-', undefined],
    ['/foo/2', undefined],
    ['/foo/length', undefined],
    ['/foo/0/0', undefined],
    ['/constructor', undefined],
    ['/__proto__/toString', undefined],
  ])('S2-40 %s leads where RFC 6901 says', (pointer, value) => {
    expect(isPointer(pointer)).toBe(true);
    expect(valueAt(DOCUMENT, pointer)).toEqual(value);
  });

  it('S2-40 leads to every place of a value, whatever its keys are', () => {
    fc.assert(
      fc.property(json, (value) => {
        for (const [pointer, at] of places(value)) {
          expect(isPointer(pointer)).toBe(true);
          expect(valueAt(value, pointer)).toBe(at);
        }
      }),
    );
  });

  it('S2-40 never leads out of the value', () => {
    const parts = fc.array(fc.constantFrom('__proto__', 'constructor', 'length', '0', '~01', 'x', ''));
    fc.assert(
      fc.property(json, parts, (value, keys) => {
        const at = valueAt(value, keys.map((key) => `/${key}`).join(''));
        expect(at === undefined || [...places(value)].some(([, one]) => one === at)).toBe(true);
      }),
    );
  });

  it.each(['foo', 'a/b', '/a~', '/a~2b', '/~x'])('S2-40 %s is none', (text) => {
    expect(isPointer(text)).toBe(false);
  });
});

describe('values of other systems', () => {
  it('S2-40 are texts, numbers and lists of texts', () => {
    expect([' a ', 7, ['x', 'y'], '  ', true, null, {}, []].map((value) => textsIn(value)[0])).toEqual([
      'a',
      '7',
      'x, y',
      ...Array(5).fill(undefined),
    ]);
  });

  it.each<[string, Json]>([
    ['an object', { host: 'db-1', port: 5432 }],
    ['texts', ['host:db-1', 'port=5432']],
    ['pairs', [['host', 'db-1'], { key: 'port', value: '5432' }]],
  ])('S2-40 are labels as %s', (_what, value) => {
    expect(labelsIn(value)).toEqual({ host: 'db-1', port: '5432' });
  });
});
