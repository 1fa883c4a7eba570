import fc from 'fast-check';
import { argumentsIn, firstObjectIn, objectsIn } from './json-in-text.js';

describe('the JSON of an answer', () => {
  it('S1-24 is mended where it is broken and short', () => {
    expect(firstObjectIn("Sure: {riskLevel: 'low', confidence: 5,}")).toEqual({
      riskLevel: 'low',
      confidence: 5,
    });
  });

  it('E-04 is not mended where that would take long: 96 kB blocked the process for 1.5 s', () => {
    expect(firstObjectIn(`{"${'a"b,'.repeat(24_000)}`)).toBeNull();
  });

  it('S1-24 is taken at any length that an answer has when it is well formed', () => {
    const long = { explanation: 'a'.repeat(50_000) };
    expect(firstObjectIn(JSON.stringify(long))).toEqual(long);
  });
});

describe('the objects of a text', () => {
  it('S1-24 come with the last one first, whatever stands around them', () => {
    const json = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.oneof(fc.string(), fc.integer()), {
      minKeys: 1,
      maxKeys: 4,
    });
    const prose = fc.constantFrom('', 'Draft: ', 'of {a, b} it is ', '```json\n', 'It is {so}. ');
    fc.assert(
      fc.property(json, json, prose, prose, (draft, answer, before, between) => {
        const text = `${before}${JSON.stringify(draft)} ${between}${JSON.stringify(answer)}`;
        expect(objectsIn(text)[0]).toEqual(answer);
      }),
    );
  });

  it('S4-04 give the arguments of a call: the last with keys, none that is cut within a word', () => {
    expect(argumentsIn('{}{"a":1}')).toEqual({ a: 1 });
    expect(argumentsIn('{"a":1}{}')).toEqual({ a: 1 });
    expect(argumentsIn('"a": "x"}')).toEqual({ a: 'x' });
    expect(argumentsIn('{"a":"half a wo')).toBeNull();
    expect(argumentsIn('no object at all')).toBeNull();
  });

  it('E-04 are found in time that is bounded, in braces without an end', () => {
    expect(objectsIn('{'.repeat(100_000))).toEqual([]);
    expect(objectsIn('{"a":'.repeat(20_000)).length).toBeLessThan(60);
  });
});
