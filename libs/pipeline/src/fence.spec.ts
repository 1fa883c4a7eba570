import fc from 'fast-check';
import { fencedText, drawMark, textMark } from './fence.js';

describe('the fence', () => {
  it('is the same on a second rendering and another for another step', () => {
    const draw = { seed: 'ab12', deadlineAt: null };
    expect(drawMark(draw, 1)).toBe(drawMark(draw, 1));
    expect(drawMark(draw, 1)).not.toBe(drawMark(draw, 2));
  });

  it('S1-20 of a text that many questions share is the same in all of them, and is not in the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        expect(textMark(text)).toBe(textMark(text));
        if (text !== other) expect(textMark(text)).not.toBe(textMark(other));
        expect(text).not.toContain(textMark(text));
      }),
    );
  });

  it('S1-20 has exactly one end, whatever the text', () => {
    const mark = drawMark({ seed: 'ab12', deadlineAt: null }, 1);
    const hostile = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(mark, `DATA ${mark}>>>`, 'x', '\n')).map((a) => a.join('')),
    );
    fc.assert(
      fc.property(hostile, (text) => expect(fencedText(text, mark).split(`DATA ${mark}>>>`)).toHaveLength(2)),
    );
  });
});
