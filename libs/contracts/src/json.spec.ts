import fc from 'fast-check';
import { canonicalJson, isObject, jsonProblem, type Json } from './json.js';

describe('canonicalJson', () => {
  const reversed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(reversed);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, entry]) => [key, reversed(entry)]),
    );
  };

  it('is the same text whatever the order of keys, and the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Json;
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  it('leaves out what is undefined, which is null in a list', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, 1], c: null })).toBe('{"a":[null,1],"c":null}');
    expect(canonicalJson(undefined)).toBe('null');
  });

  it('has one text for strings that count as the same, and leaves keys alone', () => {
    expect(canonicalJson({ ' a': [' x ', 'y'] }, (text) => text.trim())).toBe('{" a":["x","y"]}');
  });
});

describe('isObject', () => {
  it.each([[null], [[]], ['x'], [1], [undefined]])('is not %j', (value) =>
    expect(isObject(value)).toBe(false),
  );
  it('is what has keys', () => expect([isObject({}), isObject({ a: 1 })]).toEqual([true, true]));
});

describe('jsonProblem', () => {
  it('has none for JSON within its length, and one for every shorter length', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { length } = JSON.stringify(value);
        expect(jsonProblem(value, 2 * length + 2)).toBeNull();
        expect(jsonProblem({ value: 'x'.repeat(50) }, 49)).toBe('it has more than 49 characters');
      }),
    );
  });

  it('ends with what contains itself, and with what JSON cannot express', () => {
    const itself: Record<string, unknown> = {};
    itself['a'] = [itself];
    expect(jsonProblem(itself, 1_000_000)).toMatch(/contains itself/);
    expect(jsonProblem({ count: 1n }, 100)).toMatch(/bigint/);
  });

  it('walks no further than the length', () => {
    let read = 0;
    const value = Array.from({ length: 1_000 }, () => ({
      get text() {
        read += 1;
        return 'ten chars.';
      },
    }));
    expect(jsonProblem(value, 100)).toBe('it has more than 100 characters');
    expect(read).toBeLessThan(10);
  });
});
