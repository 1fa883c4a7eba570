import { stateInLines, stateOfValue, stateOfValues, subjectInLines, textStateIn } from './state.js';

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
  ['completed', null],
  ['ended', null],
  ['finished', null],
  ['alert_ended', 'resolved'],
  ['incident.ended', 'resolved'],
  ['success', 'resolved'],
  ['failure', 'firing'],
  ['unsuccessful', 'firing'],
  ['completed with errors', 'firing'],
  ['partially_resolved', null],
  ['partial recovery', null],
  ['1 of 40 up', null],
  ['not yet recovered', null],
  ['no longer healthy', null],
  ['awaiting recovery', null],
  ['the check of today says that all of it is ok', null],
  ['Monitor is UP', 'resolved'],
  ['EU is up', null],
  ['latency is ok', null],
  ['website.up', 'resolved'],
  ['back to normal', 'resolved'],
];

/** Texts of notifications, and the state that a line of them gives. */
const LINES: [string, string | null][] = [
  [
    '***** Nagios *****\n\nNotification Type: RECOVERY\n\nService: HTTP\nState: OK\n\nHTTP OK - was CRITICAL',
    'resolved',
  ],
  ['Notification Type: PROBLEM\nState: CRITICAL', 'firing'],
  ['Monitor: checkout\nStatus: up', 'resolved'],
  ['Job: backup\nStatus: completed\nResult: FAILED', 'firing'],
  ['Job: backup\nStatus: ok\nConclusion: failure', 'firing'],
  ['Job: backup\nStatus: completed', null],
  ['Status: OK', null],
  ['Service: checkout\nStatus: resolved for the EU', null],
  ['Service: checkout\nStatus: resolved\nThe US still answers 503.', null],
  ['Service: checkout\nStatus: resolved\nThe EU is UP again but the US is not.', null],
  ['Service: checkout\nStatus: resolved\nState: critical', null],
  ['[RESOLVED] checkout is down', null],
];

const TEXTS: [string, string | null][] = [
  ['Notification Type: RECOVERY', 'resolved'],
  ['Notification Type: PROBLEM\nState: CRITICAL', null],
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
  ['Recovery Services vault backup failed', null],
  ['Closed loop cooling pump stopped', null],
  ['Closed-loop cooling pump stopped', null],
  ['Up to 90 % of requests fail', null],
  ['Closed - disk of db-2', 'resolved'],
  ['OK', 'resolved'],
  ['This is a test notification from Grafana', 'test'],
  ['[TEST] disk is full', 'test'],
  ['Test alert: please ignore', 'test'],
  ['This is a test.', 'test'],
  ['The test database is down', null],
  ['This is a test runner that fails for all teams', null],
  ['checkout answers 500', null],
];

/** Texts of two notifications, and whether they name the same subject. */
const SUBJECTS: [string, string, boolean][] = [
  ['Host: db-1\nState: CRITICAL\nDisk is full', 'Host: db-1\nState: CRITICAL\nReplication stopped', false],
  ['Host: db-1\nState: CRITICAL\nInfo: disk full', 'Host: db-1\nState: CRITICAL\nInfo: lag of 5 h', false],
  ['Host: db-1\nState: CRITICAL', 'Host: db-1\nState: OK', true],
  [
    'Host: db-1\nState: DOWN\nAddress: 10.0.0.1\nInfo: no answer',
    'Host: db-1\nState: UP\nAddress: 10.0.0.1\nInfo: 2 ms',
    true,
  ],
  [
    '***** Nagios *****\nService: disk\nHost: db-1\nState: CRITICAL\n\nDISK CRITICAL - 3 % free',
    '***** Nagios *****\nService: disk\nHost: db-1\nState: OK\n\nDISK OK - 40 % free',
    true,
  ],
  ['Service: disk\nHost: db-1\nState: CRITICAL', 'Service: disk\nHost: db-2\nState: CRITICAL', false],
  ['Service: disk\nState: CRITICAL\nPlease look', 'Service: disk\nState: CRITICAL\nPlease look', false],
  ['Host: a\nProblem: Load is 12.5\nStatus: PROBLEM', 'Host: a\nProblem: Load is 14\nStatus: OK', true],
  ['Host: a\nAlert: CPU high\nStatus: open', 'Host: a\nAlert: Disk full\nStatus: open', false],
];

describe('the state of an alert', () => {
  it.each(VALUES)('S2-40 T-10 a status "%s" is %s', (value, state) => {
    expect(stateOfValue(value)).toBe(state);
  });

  it.each(LINES)('T-43 a line of "%s" gives the state %s', (text, state) => {
    expect(stateInLines(text)).toBe(state);
  });

  it.each(SUBJECTS)('T-43 %j and %j name the same subject: %s', (one, other, isEqual) => {
    const [first, second] = [subjectInLines(one), subjectInLines(other)];
    expect(first !== null && JSON.stringify(first) === JSON.stringify(second)).toBe(isEqual);
  });

  it.each(TEXTS)('S2-40 T-10 the words of "%s" say %s', (text, state) => {
    expect(textStateIn(text, false)).toBe(state);
  });

  it.each([
    [['completed', 'failure'], 'firing'],
    [['success', 'failed'], 'firing'],
    [['completed', 'success'], 'resolved'],
    [['completed'], null],
    [['resolved', 'triggered'], 'resolved'],
    [['no failures', 'ok'], 'resolved'],
  ])('T-43 status fields with %j are %s: a failure stands above the end of what failed', (values, state) => {
    expect(stateOfValues(values)).toBe(state);
  });

  it('T-10 is not over by a sentence where the text names a critical severity', () => {
    const text = 'CRITICAL: checkout fails again. The incident of yesterday was resolved.';
    expect(textStateIn(text, true)).toBeNull();
  });
});
