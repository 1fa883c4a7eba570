import type { AlertInput, JsonObject } from '@casefile/contracts';
import { aMonitoredAlert } from './testing/incident-builders.js';
import { judgeByRulesAlone } from './testing/incident-verdicts.js';
import { alertProblems, readIncident, looksMonitored, occurrence, prepareIncident } from './alert.js';

const inPayload = (alert: unknown): AlertInput => ({ payload: { alert } as JsonObject });

describe('an alert of a monitoring system', () => {
  it('S2-40 is read with its name, severity, time, and whether it is over', () => {
    expect(readIncident(aMonitoredAlert())).toMatchObject({
      name: 'DiskAlmostFull',
      severity: 'critical',
      startsAt: '2026-03-02T08:55:00Z',
      resolved: false,
      labels: { service: 'orders-db' },
      truncated: 0,
    });
    expect(readIncident(aMonitoredAlert({}, { status: 'resolved' })).resolved).toBe(true);
    expect(prepareIncident(aMonitoredAlert()).text).toBe(
      [
        'DiskAlmostFull (critical)',
        'since 2026-03-02T08:55:00Z',
        'summary: The disk of db-2 is 97 % full',
        'alertname: DiskAlmostFull',
        'severity: critical',
        'service: orders-db',
        'instance: db-2',
      ].join('\n'),
    );
  });

  it.each([
    ['page', 'critical'],
    ['P1', 'critical'],
    ['SEV-2', 'warning'],
    ['high', 'warning'],
    ['none', 'info'],
    ['purple', 'unknown'],
  ])('S2-44 takes the severity %s for %s', (word, severity) => {
    expect(readIncident(aMonitoredAlert({ severity: word })).severity).toBe(severity);
  });

  it('S2-40 may be free text, whose words are all there is', () => {
    const text = 'CRITICAL: checkout answers 500 since the release\nmore';
    expect(readIncident({ text })).toMatchObject({
      name: text.split('\n')[0],
      severity: 'critical',
      labels: {},
    });
    expect(readIncident({ text: 'the site is slow' }).severity).toBe('unknown');
  });

  it('S2-40 without a text of its own says which failure its sender reports', () => {
    const run = (conclusion: string) =>
      readIncident({
        payload: {
          action: 'completed',
          workflow_run: { id: 1, name: 'deploy', status: 'completed', conclusion },
        },
      });
    expect(run('failure')).toMatchObject({ state: 'firing', summary: 'Its sender reports: failure' });
    expect(run('success')).toMatchObject({ state: 'resolved', summary: '' });
  });

  it('S2-45 says how many alerts its sender left out', () => {
    const { payload } = aMonitoredAlert();
    expect(readIncident({ payload: { ...payload, group: { truncatedAlerts: 3 } } }).truncated).toBe(3);
  });

  it('S2-40 is one occurrence by the fingerprint of its sender, or by its labels, and its start', () => {
    expect(occurrence(aMonitoredAlert())).toMatchObject({
      key: 'fingerprint f00d',
      startedAt: '2026-03-02T08:55:00.000Z',
      resolved: false,
    });
    const plain = occurrence(inPayload({ labels: { b: '1', a: '2' }, status: 'resolved', startsAt: 'soon' }));
    expect(plain).toMatchObject({ key: '{"a":"2","b":"1"}', startedAt: null, resolved: true });
    expect(occurrence({ text: 'the site is slow' })).toBeNull();
  });

  it.each([
    ['incident.acknowledged', 'acknowledged', true],
    ['incident.annotated', 'triggered', true],
    ['incident.priority_updated', 'acknowledged', false],
    ['incident.escalated', 'acknowledged', false],
  ])('T-43 an event %s of an incident that is %s is an act of a person: %s', (type, status, isAct) => {
    const data = { id: 'P1', title: 'Checkout', status, priority: { summary: 'P1' } };
    const { remark = false } = occurrence({ payload: { event: { event_type: type, data } } })!;
    expect(remark).toBe(isAct);
  });

  it.each([
    [true, 'page'],
    [false, 'no-action'],
  ])('T-43 a critical acknowledgement is judged, if it is an escalation (%s): %s', (isEscalation, action) => {
    const data = { id: 'P1', title: 'Checkout', status: 'acknowledged', priority: { summary: 'P1' } };
    const payload = { event: { event_type: 'incident.acknowledged', data } };
    const alert = { id: 'a', playbook: 'incident', receivedAt: '2026-03-02T09:00:00.000Z', payload };
    expect(judgeByRulesAlone(alert, { isEscalation }).outcome).toMatchObject({ action });
  });

  it.each([
    ['[RESOLVED] Disk of db-2', true],
    ['Recovered: disk of db-2', true],
    ['Recovery Services vault backup failed', false],
    ['Closed-loop cooling pump stopped', false],
    ['Up to 90 % of requests fail', false],
    ['Backup failed. The problem of yesterday has been resolved.', false],
  ])('T-43 the title "%s" without a status field joins a known case without effect: %s', (title, joins) => {
    const { joinsOnly = false } = occurrence({ payload: { title, host: 'db-2', severity: 'critical' } })!;
    expect(joinsOnly).toBe(joins);
  });

  it('S2-45 T-43 counts the firing alerts that a body lists', () => {
    const alerts = Array.from({ length: 100 }, (_, i) => ({ status: i < 90 ? 'firing' : 'resolved' }));
    const { payload } = aMonitoredAlert();
    const affected = (more: object) =>
      occurrence({ payload: { ...payload, ...more } as JsonObject })?.grade?.affected;
    expect(affected({ alerts })).toBe(90);
    expect(affected({ alerts: [] })).toBeNull();
  });

  it('is identified by its labels, and names each field that is wrong', () => {
    expect(looksMonitored(aMonitoredAlert())).toBe(true);
    expect(looksMonitored({ payload: { criteria: [] } })).toBe(false);
    expect(looksMonitored({ text: 'hello' })).toBe(false);
    expect(alertProblems(aMonitoredAlert())).toEqual([]);
    expect(alertProblems({ text: ' ' })).toMatchObject([{ path: 'text' }]);
    expect(alertProblems({ payload: { anything: 1 } })).toMatchObject([
      { path: 'payload.title', message: expect.stringContaining('expected a title, name, summary') },
    ]);
    expect(alertProblems(inPayload({ labels: { a: 'b' }, annotations: null }))).toEqual([]);
    const loose = inPayload({ labels: { a: 1 }, status: 'FIRING', startsAt: 1767607200 });
    expect(alertProblems(loose)).toEqual([]);
    expect(readIncident(loose)).toMatchObject({ labels: { a: '1' }, startsAt: '2026-01-05T10:00:00.000Z' });
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`l${i}`, 'x']));
    expect(alertProblems(inPayload({ labels: many }))).toMatchObject([{ path: 'payload.alert' }]);
  });
});
