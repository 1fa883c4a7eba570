import fc from 'fast-check';
import { parseTime } from './parse-time.js';

const dayOf = (value: string): string | null => {
  const time = parseTime(value);
  return time === null ? null : new Date(time.dateMs).toISOString().slice(0, 10);
};

describe('a date as documents write it', () => {
  it.each([
    '2026-01-31',
    '2026/01/31',
    '2026.1.31',
    '31.01.2026',
    '31. 1. 2026',
    '31/01/2026',
    '01/31/2026',
    '31-01-2026',
    '31 January 2026',
    '31st of January 2026',
    '31-Jan-2026',
    'January 31, 2026',
    'Jan. 31st, 2026',
    '31. Januar 2026',
    '31 janvier 2026',
    '31 de enero de 2026',
    '31.01.2026 09:30',
    '31 January 2026, 09:30',
    '2026-01-31T23:59:00+02:00',
  ])('S4-40 reads %s', (written) => {
    expect(dayOf(written)).toBe('2026-01-31');
  });

  it.each([
    '03/04/2026',
    '03-04-2026',
    '12.31.2026',
    '30.02.2026',
    '31/31/2026',
    '01.01.26',
    'January 2026',
    '1 Foo 2026',
    '2026-01-31T25:00',
    '1 January 2026 or later',
    '',
  ])('S4-40 does not read %s', (written) => {
    expect(parseTime(written)).toBeNull();
  });

  it('S4-40 reads the day that was written, or none', () => {
    const days = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, fc.constantFrom('en-GB', 'en-US', 'de', 'fr', 'es'), (date, locale) => {
        const iso = date.toISOString().slice(0, 10);
        for (const dateStyle of ['long', 'short'] as const) {
          const written = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(date);
          expect([iso, null]).toContain(dayOf(written));
          if (dateStyle === 'long') expect(dayOf(written)).toBe(iso);
        }
      }),
    );
  });
});
