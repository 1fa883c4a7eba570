import { firstObjectIn } from './json-in-text.js';

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
