import fc from 'fast-check';
import type { Json } from '@casefile/contracts';
import { storable } from './storable.js';

describe('storable', () => {
  it('S2-22 leaves what is fine as it is', () => {
    const fine = fc
      .jsonValue({ stringUnit: 'binary' })
      .filter((value) => !/\\u0000/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(fine, (value) => {
        const copy = JSON.parse(JSON.stringify(value)) as Json;
        expect(storable(copy)).toEqual(copy);
      }),
    );
  });

  it('S2-22 marks NUL and half characters, in keys too', () => {
    expect(storable({ 'a\0': ['\uDC00x', '😀'] })).toEqual({ 'a\uFFFD': ['\uFFFDx', '😀'] });
  });

  it('S2-22 marks where it is nested beyond all sense', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as Json;
    expect(JSON.stringify(storable(deep))).toContain('nested deeper than 100 levels');
  });
});
