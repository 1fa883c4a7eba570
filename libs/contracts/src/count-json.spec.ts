import fc from 'fast-check';
import { countJson, JsonCounter } from './count-json.js';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Counts the values of parsed JSON and the keys of its widest object in the obvious way. */
function walked(value: unknown): { values: number; keys: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, keys: 0 };
  const inside = Object.values(value).map(walked);
  return {
    values: 1 + inside.reduce((sum, one) => sum + one.values, 0),
    keys: Math.max(
      Array.isArray(value) ? 0 : Object.keys(value).length,
      0,
      ...inside.map(({ keys }) => keys),
    ),
  };
}

/** Returns the number of elements of the longest array within four levels. */
function widest(value: unknown, level = 1): number {
  if (level > 4 || typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).map((one) => widest(one, level + 1));
  return Math.max(Array.isArray(value) ? value.length : 0, ...inside);
}

const anyJson = fc.jsonValue({ noUnicodeString: false });

describe('the values of a JSON text, counted before it is parsed', () => {
  it('E-03 are never fewer than a parser finds, in any JSON', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 1), (value, indent) => {
        const found = countJson(bytes(JSON.stringify(value, null, indent)));
        const truth = walked(value);
        expect(found.values).toBeGreaterThanOrEqual(truth.values);
        expect(found.values).toBeLessThanOrEqual(2 * truth.values);
        expect(found.keys).toBe(truth.keys);
        expect(found.isArray).toBe(Array.isArray(value));
        // One element needs no comma.
        expect(Math.max(found.outerItems, 1)).toBe(Math.max(widest(value), 1));
      }),
    );
  });

  it('E-03 are the same however the text is cut', () => {
    fc.assert(
      fc.property(anyJson, fc.array(fc.nat(200), { maxLength: 8 }), (value, cuts) => {
        const all = bytes(JSON.stringify(value));
        const bounds = [...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length];
        const counter = new JsonCounter();
        let from = 0;
        for (const to of bounds) {
          counter.push(all.subarray(from, to));
          from = to;
        }
        expect(counter.counts).toEqual(countJson(all));
      }),
    );
  });

  it('E-03 brackets, commas and quotes within strings do not count', () => {
    const found = countJson(bytes(JSON.stringify({ text: '{[,:"\\"]}', more: '\\' })));
    expect(found).toMatchObject({ keys: 2, isArray: false });
  });

  it.each(['\r', '\n', '\r\n'])('E-03 cannot be hidden in a string that a line break ends (%j)', (end) => {
    const hidden = `x"${end}data: [${'{},'.repeat(5_000)}0]`;
    expect(countJson(bytes(hidden)).values).toBeGreaterThan(5_000);
  });

  it('E-03 takes any bytes, JSON or not', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (body) => countJson(body).values > 0));
  });
});
