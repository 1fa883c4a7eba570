import fc from 'fast-check';
import { getCountries, getCountryCallingCode, searchPhoneNumbersInText } from 'libphonenumber-js/max';
import { FEWEST_DIGITS, findPhoneNumbers, type Region } from './phone-numbers.js';

const REGIONS = Object.keys(FEWEST_DIGITS) as Region[];
const ABROAD = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
const between = fc.constantFrom('', '', ' ', '-', '.', ') (', ' ext. ', ', ');
const before = fc.constantFrom('', '', '0', '1', '00', '011', ...ABROAD.map((code) => `00${code}`));

/** Digits with what stands between those of a number, `before` them what a caller dials first. */
const dialled = (most: number) =>
  fc
    .tuple(before, fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), between), { maxLength: most }))
    .map(([first, rest]) => first + rest.map(([digit, gap]) => `${digit}${gap}`).join(''))
    .filter((text) => text.replace(/\D/g, '').length <= most);

describe('phone numbers', () => {
  it.each(REGIONS)('S1-02 has no valid number in a text with too few digits for one in %s', (region) => {
    const search = (text: string) => [...searchPhoneNumbersInText(text, { defaultCountry: region })];
    fc.assert(
      fc.property(dialled(FEWEST_DIGITS[region] - 1), (text) => {
        expect(search(`call ${text} now`)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['the shortest of Great Britain', '0800 1111', 'GB', '+448001111'],
    ['one abroad, dialled', '00 49 30 1234', 'IN', '+49301234'],
    ['one with a plus sign and few digits', '+290 2 1234', 'US', '+29021234'],
  ] as const)('S1-02 finds %s', (_what, text, region, number) => {
    expect(findPhoneNumbers(text, [region]).values).toEqual([number]);
  });
});
