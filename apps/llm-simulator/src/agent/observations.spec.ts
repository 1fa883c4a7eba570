import fc from 'fast-check';
import { missingIn, nodesIn, readingsIn, spansIn } from './observations.js';

describe('S4-02 observations as the agent reads them', () => {
  it('sections with their texts, with pages or without', () => {
    const text =
      '[0042] 4.1 Notice (p. 3)\n  First line.\n  - a point\n[0043] 4.2 More (of it)\n  Other.\nend';
    expect(nodesIn(text)).toEqual([
      { nodeId: '0042', title: '4.1 Notice', page: 3, text: 'First line.\n- a point', cut: false },
      { nodeId: '0043', title: '4.2 More (of it)', page: null, text: 'Other.', cut: false },
    ]);
  });

  it('spans word for word, quotation marks and brackets within them too', () => {
    const text = '[0042] "He said "within 30 days" (p. 9)" (p. 3)\n[0043] "No page."\nnothing';
    expect(spansIn(text)).toEqual([
      { nodeId: '0042', text: 'He said "within 30 days" (p. 9)', page: 3 },
      { nodeId: '0043', text: 'No page.', page: null },
    ]);
    expect(nodesIn(text)).toEqual([]);
  });

  it.each([
    ['2026-04-02', '2026-04-02', null],
    ['2000 GBP', 2000, 'GBP'],
    ['1,850.5', 1850.5, null],
    ['true', true, null],
    ['boot (locked), left', 'boot (locked), left', null],
  ])('the value %s of a fact', (written, value, unit) => {
    const line = `fact a#1: a = ${written} (confidence 0.97, report (2).pdf p. 1)`;
    expect(readingsIn(line)).toEqual([{ id: 'a#1', name: 'a', value, unit, confidence: 0.97 }]);
    expect(readingsIn(`fact a#1: a = ${written}`)).toMatchObject([{ value, confidence: null }]);
  });

  it('texts that were cut as far as their last whole word, so that they may be quoted', () => {
    expect(spansIn('[0042] "A claim must be notified within 3…" (p. 3)')).toMatchObject([
      { text: 'A claim must be notified within' },
    ]);
    expect(nodesIn('[0042] 4.1 Notice\n  One. Two thr…')).toMatchObject([{ text: 'One. Two' }]);
  });

  it('names that are not on file', () => {
    expect(missingIn('no fact named "weather"; there are: a, b')).toEqual(['weather']);
  });

  it('R13 any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const read of [nodesIn, spansIn, readingsIn, missingIn])
          expect(Array.isArray(read(text))).toBe(true);
      }),
    );
  });
});
