import fc from 'fast-check';
import { isSealed, seal } from './seal.js';

describe('seal', () => {
  it('S2-10 fits to what was shown with it, any text, and to nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (reasoning, shown) => {
        const sealed = seal(reasoning, shown);
        expect(isSealed(sealed, shown)).toBe(true);
        expect(isSealed(sealed, `${shown}.`)).toBe(false);
        expect(isSealed(`A${sealed}`, shown)).toBe(false);
      }),
    );
  });

  it('is refused when its content was changed, and when it is something else altogether', () => {
    const { mac } = JSON.parse(Buffer.from(seal('one'), 'base64').toString()) as { mac: string };
    const forged = Buffer.from(JSON.stringify({ simulated: true, reasoning: 'two', mac })).toString('base64');
    for (const wrong of [forged, '', 'c2ln', 'bnVsbA==', 7, null, undefined, {}])
      expect(isSealed(wrong)).toBe(false);
  });

  it('says of itself that it is simulated', () => {
    expect(Buffer.from(seal('why'), 'base64').toString()).toContain('"simulated":true');
  });
});
