import { stateInText, stateOfValue } from './state.js';

const VALUES: [string, string | null][] = [
  ['firing', 'firing'],
  ['FIRING', 'firing'],
  // An expired certificate or lease, and an inactive unit, are problems and no recovery.
  ['expired', null],
  ['inactive', null],
  ['resolved', 'resolved'],
  ['active', 'firing'],
  ['suppressed', 'firing'],
  ['alerting', 'firing'],
  ['ok', 'resolved'],
  ['OK', 'resolved'],
  ['no_data', 'no-data'],
  ['incident.triggered', 'firing'],
  ['incident.resolved', 'resolved'],
  ['incident.acknowledged', 'firing'],
  ['trigger', 'firing'],
  ['resolve', 'resolved'],
  ['Create', 'firing'],
  ['Close', 'resolved'],
  ['Triggered', 'firing'],
  ['Recovered', 'resolved'],
  ['No Data', 'no-data'],
  ['ALARM', 'firing'],
  ['INSUFFICIENT_DATA', 'no-data'],
  ['PROBLEM', 'firing'],
  ['RECOVERY', 'resolved'],
  ['Fired', 'firing'],
  ['open', 'firing'],
  ['closed', 'resolved'],
  ['unresolved', 'firing'],
  ['not resolved', null],
  ['up', 'resolved'],
  ['down', 'firing'],
  ['test', 'test'],
  ['', null],
  ['purple', null],
];

const TEXTS: [string, string | null][] = [
  [
    '***** Nagios *****\n\nNotification Type: RECOVERY\n\nService: HTTP\nState: OK\n\nHTTP OK - was CRITICAL',
    'resolved',
  ],
  ['Notification Type: PROBLEM\nState: CRITICAL', 'firing'],
  ['[RESOLVED] CRITICAL: checkout answers again', 'resolved'],
  ['RESOLVED: disk of db-2', 'resolved'],
  ['OK - load average is 0.4', 'resolved'],
  ['Recovered: payments work', 'resolved'],
  ['Problem has been resolved at 10:14:02 on 2026.11.25', 'resolved'],
  ['The host web-2 is back up', 'resolved'],
  ['Latency returned to normal', 'resolved'],
  ['The site is slow. It will be back to normal once the job has ended', null],
  ['The incident is not resolved', null],
  ['Is the problem resolved? Please look', null],
  ['okonomiyaki-service is slow', null],
  ['Upgrade of the wiki fails', null],
  ['This is a test notification from Grafana', 'test'],
  ['[TEST] disk is full', 'test'],
  ['Test alert: please ignore', 'test'],
  ['This is a test.', 'test'],
  ['The test database is down', null],
  ['This is a test runner that fails for all teams', null],
  ['checkout answers 500', null],
];

describe('the state of an alert', () => {
  it.each(VALUES)('S2-40 T-10 a status "%s" is %s', (value, state) => {
    expect(stateOfValue(value)).toBe(state);
  });

  it.each(TEXTS)('S2-40 T-10 a text "%s" is %s', (text, state) => {
    expect(stateInText(text, false)).toBe(state);
  });

  it('T-10 is not over by a sentence where the text names a critical severity', () => {
    const text = 'CRITICAL: checkout fails again. The incident of yesterday was resolved.';
    expect(stateInText(text, true)).toBeNull();
  });
});
