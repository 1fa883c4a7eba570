import { EMPTY_SILENCE, silenceOfFields } from './silence-fields.js';

const NOW = Date.parse('2026-01-05T10:00:00Z');

describe('the form for a silence', () => {
  it('reads one matcher per line, and counts its time from the start', () => {
    const fields = {
      ...EMPTY_SILENCE,
      matchers: 'service=checkout\n\n instance=~db-.* \n',
      reason: ' A move ',
    };
    const matchers = [
      { name: 'service', value: 'checkout', isRegex: false, isEqual: true },
      { name: 'instance', value: 'db-.*', isRegex: true, isEqual: true },
    ];
    const endsAt = '2026-01-05T12:00:00.000Z';
    expect(silenceOfFields(fields, NOW)).toEqual({ silence: { matchers, endsAt, reason: 'A move' } });
    const later = { ...fields, start: '2026-01-06T10:00:00Z', forMs: '3600000' };
    expect(silenceOfFields(later, NOW)).toMatchObject({
      silence: { startsAt: '2026-01-06T10:00:00.000Z', endsAt: '2026-01-06T11:00:00.000Z' },
    });
  });

  it('names a line that is no matcher', () => {
    const fields = { ...EMPTY_SILENCE, matchers: 'service=checkout\ncheckout' };
    expect(silenceOfFields(fields, NOW)).toEqual({
      problem: expect.stringContaining('"checkout" is no matcher'),
    });
  });
});
