import fc from 'fast-check';
import { fencedText, drawMark } from './fence.js';

describe('the fence', () => {
  it('is the same on a second rendering and another for another step', () => {
    const draw = { seed: 'ab12', deadlineAt: null };
    expect(drawMark(draw, 1)).toBe(drawMark(draw, 1));
    expect(drawMark(draw, 1)).not.toBe(drawMark(draw, 2));
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
