import fc from 'fast-check';
import { readTraceParent, spanTraceParent } from './meter.js';

const hex = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(''))
    .filter((text) => /[1-9a-f]/.test(text));

describe('a trace parent', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.constantFrom(0, 1), (traceId, spanId, traceFlags) => {
        const text = spanTraceParent({ traceId, spanId, traceFlags });
        expect(text).not.toBeNull();
        expect(readTraceParent(text ?? '')).toEqual({ traceId, spanId, traceFlags, isRemote: true });
      }),
    );
  });

  it.each([
    '',
    'no',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `01-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
  ])('%j names no place', (text) => expect(readTraceParent(text)).toBeNull());

  it('is none where there is no span', () => expect(spanTraceParent(undefined)).toBeNull());
});
