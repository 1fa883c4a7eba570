import fc from 'fast-check';
import { fenced, markOf } from './fence.js';

describe('the fence', () => {
  it('is the same on a second rendering and another for another step', () => {
    const draw = { seed: 'ab12', deadlineAt: null };
    expect(markOf(draw, 1)).toBe(markOf(draw, 1));
    expect(markOf(draw, 1)).not.toBe(markOf(draw, 2));
  });

  it('S1-20 has exactly one end, whatever the text', () => {
    const mark = markOf({ seed: 'ab12', deadlineAt: null }, 1);
    const hostile = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(mark, `DATA ${mark}>>>`, 'x', '\n')).map((a) => a.join('')),
    );
    fc.assert(
      fc.property(hostile, (text) => expect(fenced(text, mark).split(`DATA ${mark}>>>`)).toHaveLength(2)),
    );
  });
});
