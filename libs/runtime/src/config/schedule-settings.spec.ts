import { fieldProblems } from '@casefile/contracts';
import { playbooks } from '@casefile/shipped/loaded';
import { scheduleProblems, scheduleSettingsSchema } from './schedule-settings.js';

const alert = { playbook: 'incident', text: 'Is the shop up?' };
const problems = (settings: object) => {
  const parsed = scheduleSettingsSchema.safeParse(settings);
  if (parsed.success) return scheduleProblems(parsed.data, playbooks).map(({ path }) => path);
  return fieldProblems(parsed.error).map(({ path, message }) => `${path}: ${message}`);
};

describe('schedules of the settings', () => {
  it('take a cron time, a time zone and an alert', () => {
    expect(problems({ shop: { cron: '0 6 * * *', timezone: 'Europe/Berlin', alert } })).toEqual([]);
    expect(scheduleSettingsSchema.parse({ shop: { cron: '0 6 * * *', alert } })).toMatchObject({
      shop: { timezone: 'UTC', lane: 'live' },
    });
  });

  it.each([
    [{ shop: { cron: '0 6 * *', alert } }, /^shop.cron: expected five cron fields/],
    [{ shop: { cron: '0 6 * * *', timezone: 'Mars', alert } }, /^shop.timezone: expected an IANA time zone/],
    [{ 'Shop!': { cron: '0 6 * * *', alert } }, /^Shop!: expected a name/],
    [
      { shop: { cron: '0 6 * * *', alert: { playbook: 'incident' } } },
      /^shop.alert: expected at least one of/,
    ],
    [{ shop: { cron: '0 6 * * *', alert, every: 5 } }, /^shop: Unrecognized key/],
  ])('name the wrong field of %j', (given, expected) => {
    expect(problems(given)).toEqual([expect.stringMatching(expected)]);
  });

  it('name the alert that no kind of case takes', () => {
    const shop = { cron: '0 6 * * *', alert: { ...alert, playbook: 'nonsense' } };
    expect(problems({ shop })).toEqual(['schedules.shop.alert.playbook']);
    const empty = { cron: '0 6 * * *', alert: { playbook: 'policy-check', payload: {} } };
    expect(problems({ shop: empty })[0]).toMatch(/^schedules\.shop\.alert\b/);
  });
});
