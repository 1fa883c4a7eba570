import { cronProblem, isTimeZone, lastDue, nextDue } from './due-times.js';

const at = (text: string) => Date.parse(text);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const BERLIN = { cron: '30 2 * * *', timezone: 'Europe/Berlin' };

describe('due times of schedules', () => {
  it('include the time itself, and no time before', () => {
    const daily = { cron: '0 6 * * *', timezone: 'UTC' };
    const before = at('2026-01-01T05:59:00Z');
    expect(lastDue(daily, before, at('2026-01-01T05:59:59.999Z'))).toBeNull();
    expect(iso(lastDue(daily, before, at('2026-01-01T06:00:00Z')))).toBe('2026-01-01T06:00:00.000Z');
    expect(lastDue(daily, at('2026-01-01T06:00:00Z'), at('2026-01-01T07:00:00Z'))).toBeNull();
  });

  it('name the last one after a long time, however often they were due', () => {
    const eachMinute = { cron: '* * * * *', timezone: 'UTC' };
    expect(iso(lastDue(eachMinute, at('2020-01-01T00:00:00Z'), at('2026-01-01T06:00:30Z')))).toBe(
      '2026-01-01T06:00:00.000Z',
    );
  });

  it('occur once when the clock is set back, and once when it skips them', () => {
    const dueUntil = (from: string, to: string): (string | null)[] => {
      const found: (string | null)[] = [];
      let done = at(from);
      for (let now = done; now <= at(to); now += 600_000) {
        const due = lastDue(BERLIN, done, now);
        if (due === null) continue;
        found.push(iso(due));
        done = due;
      }
      return found;
    };
    expect(dueUntil('2026-10-24T20:00:00Z', '2026-10-25T12:00:00Z')).toEqual(['2026-10-25T00:30:00.000Z']);
    expect(dueUntil('2026-03-28T20:00:00Z', '2026-03-29T12:00:00Z')).toEqual(['2026-03-29T01:30:00.000Z']);
  });

  it('follow the time zone', () => {
    const tokyo = { cron: '0 9 * * 1', timezone: 'Asia/Tokyo' };
    expect(iso(nextDue(tokyo, at('2026-01-01T00:00:00Z')))).toBe('2026-01-05T00:00:00.000Z');
  });

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '@daily',
    '61 * * * *',
    '0 0 30 2 *',
    'H * * * *',
    '* * * * 1,H',
    'a b c d e',
  ])('refuse the expression %j', (cron) => expect(cronProblem(cron)).toMatch(/^expected five cron fields/));

  it.each(['0 6 * * 1-5', '*/15 * * * *', '0 9 * * THU', '0 0 1 MAR *', '0 0 L * *'])('take %j', (cron) =>
    expect(cronProblem(cron)).toBeNull(),
  );

  it('know time zones by their names', () => {
    expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Base')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
