import fc from 'fast-check';
import { canonicalJson, isObject, type Json } from './json.js';

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
