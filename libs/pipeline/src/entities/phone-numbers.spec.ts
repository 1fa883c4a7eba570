import fc from 'fast-check';
import { getCountries, getCountryCallingCode, searchPhoneNumbersInText } from 'libphonenumber-js/max';
import { FEWEST_DIGITS, findPhoneNumbers } from './phone-numbers.js';
import { DEFAULT_REGIONS as REGIONS } from './phone-regions.js';

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
      fc.property(dialled((FEWEST_DIGITS[region] ?? 0) - 1), (text) => {
        expect(search(`call ${text} now`)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['the shortest of Great Britain', '0800 1111', 'GB', '+448001111'],
    ['one abroad, dialled', '00 49 30 1234', 'IN', '+49301234'],
    ['one with a plus sign and few digits', '+290 2 1234', 'US', '+29021234'],
  ] as const)('S1-02 finds %s', (_what, text, region, number) => {
    expect(findPhoneNumbers(text, { regions: [region] }).values).toEqual([number]);
  });

  it.each([
    ['+44 7700900142 »', ['+447700900142']],
    ['+44.7700 900142', ['+447700900142']],
    ['+1 9812345678', ['+19812345678']],
    ['+92 300 9876543210', ['+923009876543210']],
    ['Ring our fraud team on +44\n7700 900142 at once', ['+447700900142']],
    ['Ring our fraud team on +44\n\n7700 900142 at once', ['+447700900142']],
    ['+44 7700 900142\n12 May', ['+447700900142']],
  ])('S1-02 reads %j as written, with its plus sign', (text, numbers) => {
    expect(findPhoneNumbers(text, { regions: REGIONS }).values).toEqual(numbers);
  });

  it.each([
    '01 Aug Cheque 4987 36.07 99,914.15\n01 Aug Cheque 4986 60.93 99,975.08',
    'Cheque 4984 48.08 70,317.50',
    'Meter 04987 05123 05230 05311',
    'Balance 98765 43210.50',
  ])('S1-02 reads no number in the table %j', (text) => {
    expect(findPhoneNumbers(text, { regions: REGIONS }).values).toEqual([]);
  });

  it.each(['+91 98765 43210', '00 91 98765 43210', '+1 202 555 0143'])(
    'S1-02 does not call the country of %s assumed',
    (written) => expect(findPhoneNumbers(`call ${written}`, { regions: REGIONS }).notes).toEqual([]),
  );

  it('S1-02 marks the country of a number without a country code as assumed', () => {
    expect(findPhoneNumbers('98765 43210', { regions: ['IN'] }).notes).toEqual([
      '"98765 43210" has no country code: read as +919876543210, its country is assumed.',
    ]);
  });
});
