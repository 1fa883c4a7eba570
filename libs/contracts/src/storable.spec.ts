import fc from 'fast-check';
import { boundValue, storableJson, MAX_STORED, toStored } from './storable.js';

const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udfff]/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''));

describe('what can be stored', () => {
  it('S2-22 shows NULs and half surrogates instead of losing the row', () => {
    expect(toStored({ a: 'x\u0000y', b: ['\ud83d', '\udc00', '😀'], '\u0000k': 1 })).toEqual({
      a: 'x␀y',
      b: ['\ufffd', '\ufffd', '😀'],
      '␀k': 1,
    });
  });

  it('leaves a text alone that only looks like an escape', () => {
    const text = { a: '\\u0000', b: '\\\\ud800', c: '"\\' };
    expect(toStored({ ...text, d: '\u0000' })).toEqual({ ...text, d: '␀' });
  });

  it('S2-22 E-06 mends what cannot be stored and nothing else, whatever stands around it', () => {
    const unit = fc.constantFrom(
      '\ud800',
      '\udfff',
      '\0',
      '\u0001',
      '\\',
      '"',
      'u0000',
      'ud800',
      'd',
      '\n',
      '😀',
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        // UTF-8 has no half surrogates.
        const fits = Buffer.from(text.replaceAll('\0', '␀')).toString();
        expect(toStored({ [text]: text })).toEqual({ [fits]: fits });
      }),
    );
  });

  it('S2-22 makes any JSON fit, and changes nothing that fits already', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = storableJson(value);
        expect(isWellFormed(text)).toBe(true);
        expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\u(0000|d[89a-f])/);
        if (isWellFormed(JSON.stringify(value)) && !JSON.stringify(value).includes('\\u')) {
          expect(toStored(value)).toEqual(JSON.parse(JSON.stringify(value)));
        }
      }),
    );
  });

  it('is what it will be read back as, also where JSON has no word for it', () => {
    const odd = fc.constantFrom<unknown>(
      undefined,
      -0,
      NaN,
      Infinity,
      new Date(0),
      [undefined],
      () => 1,
      '\ud800',
    );
    fc.assert(
      fc.property(fc.object({ values: [odd, fc.string({ unit: 'binary' }), fc.double()] }), (value) => {
        expect(toStored(value)).toStrictEqual(JSON.parse(storableJson(value)));
      }),
    );
    const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ inner, left: undefined }), null);
    expect(toStored(deep)).toStrictEqual(JSON.parse(JSON.stringify(deep)));
  });

  it('S2-22 cuts what is too large, and marks the cut', () => {
    const large = { text: 'x'.repeat(MAX_STORED) };
    expect(boundValue(large)).toMatchObject({ cut: true, characters: MAX_STORED + 11 });
    expect(boundValue({ text: 'x' })).toEqual({ text: 'x' });
    expect(boundValue('y'.repeat(MAX_STORED + 5))).toMatch(/\[cut: 1000005 characters\]$/);
  });
});
