import fc from 'fast-check';
import { instantMs, instantSchema, timeSchema } from './times.js';

const paths = (schema: typeof instantSchema | typeof timeSchema, text: string) =>
  schema.safeParse(text).success;

describe('times from outside', () => {
  it.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '-000001-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    `2026-01-01T00:00:00.${'1'.repeat(200)}Z`,
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:00',
    'yesterday',
    '',
  ])('%j is refused', (text) => {
    expect([paths(instantSchema, text), paths(timeSchema, text)]).toEqual([false, false]);
  });

  it.each(['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123456+05:30', '0001-01-01T00:00:00Z'])(
    '%j is taken',
    (text) => expect([paths(instantSchema, text), paths(timeSchema, text)]).toEqual([true, true]),
  );

  it('a text that is no time has one problem', () => {
    const problems = [instantSchema, timeSchema].map((one) => one.safeParse('x').error?.issues.length);
    expect(problems).toEqual([1, 1]);
  });

  it('a date alone is a time, and no instant', () => {
    expect([paths(instantSchema, '2026-01-31'), paths(timeSchema, '2026-01-31')]).toEqual([false, true]);
    expect(paths(timeSchema, '0000-01-31')).toBe(false);
  });

  it('an instant is written in four digits of the year by ISO 8601, or there is none', () => {
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    fc.assert(
      fc.property(fc.oneof(dates, fc.string()), (text) => {
        const at = instantMs(text);
        if (at !== null) expect(new Date(at).toISOString()).toMatch(/^(?!0000)\d{4}-/);
      }),
    );
  });
});
