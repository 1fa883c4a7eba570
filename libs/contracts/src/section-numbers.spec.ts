import fc from 'fast-check';
import { namesSection, sectionNumber, sectionsNamed } from './section-numbers.js';

describe('numbers of sections', () => {
  it.each([
    ['4.1 Notice of claims', '4.1'],
    ['7. Refunds', '7'],
    ['2) Scope', '2'],
    ['2026 in figures', '2026'],
    ['Notice of claims', null],
    ['30days', null],
  ])('S4-40 reads the number of the title %p as %p', (title, number) => {
    expect(sectionNumber(title)).toBe(number);
  });

  it.each([
    ['The periods in sections 4.1 and 4.2 are doubled.', ['4.1', '4.2']],
    ['See Section 9, 10.2 or 11 to 13.', ['9', '10.2', '11', '13']],
    ['In place of clause 3.1 and of § 5.', ['3.1', '5']],
    ['Within 30 days of the sections.', []],
    ['The intersection 4 is closed.', []],
  ])('S4-40 finds the sections that a text names: %s', (text, numbers) => {
    expect(sectionsNamed(text)).toEqual(numbers);
  });

  it('S4-40 takes a section as named with the one that it is a part of, and with no other', () => {
    expect(namesSection('as section 4 has it', '4.1')).toBe(true);
    expect(namesSection('as section 4.1 has it', '4')).toBe(false);
    expect(namesSection('as section 4.1 has it', '4.11')).toBe(false);
  });

  it('S4-40 finds every number that it is given, whatever stands between', () => {
    const number = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), fc.string(), (numbers, tail) => {
        const written = numbers.map((parts) => parts.join('.'));
        const text = `sections ${written.join(', ')} and 77; ${tail}`;
        expect(sectionsNamed(text).slice(0, written.length + 1)).toEqual([...written, '77']);
      }),
    );
  });
});
