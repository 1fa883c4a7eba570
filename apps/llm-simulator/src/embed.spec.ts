import fc from 'fast-check';
import { embed } from './wires/openai-embeddings.js';

const likeness = (a: string, b: string, dimensions = 256) => {
  const [x, y] = [embed(a, dimensions), embed(b, dimensions)];
  return x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
};

describe('embed', () => {
  it('gives every text a vector of length one, in any dimension', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 300 }), (text, dimensions) => {
        const vector = embed(text, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1);
      }),
    );
  });

  it('goes by the words, whatever their order and case', () => {
    expect(likeness('Disk full on node 7', 'NODE 7: disk, full on!')).toBeCloseTo(1);
    expect(embed('तुरंत', 64)).not.toEqual(embed('खाता', 64));
  });

  it('finds texts that share words alike, and others not', () => {
    const near = likeness('disk is full on node seven', 'disk is full on node nine');
    const far = likeness('disk is full on node seven', 'parcel waits for customs fee');
    expect(near).toBeGreaterThan(0.6);
    expect(Math.abs(far)).toBeLessThan(0.4);
  });
});
