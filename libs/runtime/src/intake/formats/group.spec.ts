import { alertInputSchema, type JsonObject } from '@casefile/contracts';
import type { Post, ReadAlert } from '../format.js';
import { exampleGroup } from './alertmanager.js';
import { intakeFormats } from './index.js';

const SETTINGS = { maxBatch: 5, cloudEventTypes: {} };
const post = (body: unknown): Post => ({ body, raw: Buffer.from(''), headers: {} });
const alertsOf = (read: ReadAlert[]): JsonObject[] =>
  read.flatMap((one) => ('alert' in one ? [one.alert] : []));

describe('S2-40 a group as one case, where the configuration says so', () => {
  const member = (instance: string, startsAt: string, status = 'firing') => ({
    status,
    labels: { alertname: 'DiskFull', instance },
    annotations: { summary: `The disk of ${instance} is full` },
    startsAt,
  });
  const groupOf = (...alerts: object[]) => {
    const format = intakeFormats.find(({ name }) => name === 'alertmanager')!;
    const sent = { version: '4', ...exampleGroup, alerts };
    return format.read(post(sent), { ...SETTINGS, casePer: 'group' } as never, false);
  };
  const alertIn = (...alerts: object[]) => {
    const [first] = alertsOf(groupOf(...alerts));
    return (first?.['payload'] as JsonObject)['alert'] as JsonObject;
  };

  it('fires while one of its alerts does, since the newest of those began, under one fingerprint', () => {
    const both = [member('db-1', '2026-01-05T10:00:00Z'), member('db-2', '2026-01-05T10:05:00Z')];
    const alert = alertIn(...both);
    expect(alert).toMatchObject({
      status: 'firing',
      startsAt: '2026-01-05T10:05:00Z',
      labels: { alertname: 'DiskFull', severity: 'critical' },
    });
    const { alerts: listed } = alert['annotations'] as JsonObject;
    expect(String(listed).split('\n')).toEqual([
      'firing: DiskFull: The disk of db-1 is full - alertname=DiskFull instance=db-1',
      'firing: DiskFull: The disk of db-2 is full - alertname=DiskFull instance=db-2',
    ]);
    const later = alertIn(both[0]!, member('db-2', '2026-01-05T10:05:00Z', 'resolved'));
    expect(later).toMatchObject({ status: 'firing', startsAt: '2026-01-05T10:00:00Z' });
    expect(later['fingerprint']).toBe(alert['fingerprint']);
    expect(alertIn(member('db-1', '2026-01-05T10:00:00Z', 'resolved'))['status']).toBe('resolved');
  });

  it('keeps what is wrong with one of its alerts apart, and a large group within bounds', () => {
    const read = groupOf(member('db-1', '2026-01-05T10:00:00Z'), { status: 'on' });
    expect(read).toMatchObject([{ alert: {} }, { sent: { status: 'on' }, problems: [{}, {}, {}] }]);
    expect(groupOf({ status: 'on' })).toMatchObject([{ problems: [{}, {}, {}] }]);
    const many = Array.from({ length: 900 }, (_, i) => member(`host-${i}`, '2026-01-05T10:00:00Z'));
    const format = intakeFormats.find(({ name }) => name === 'grafana')!;
    const settings = { ...SETTINGS, maxBatch: 1_000, casePer: 'group' } as never;
    const [alert] = alertsOf(
      format.read(post({ version: '1', ...exampleGroup, alerts: many }), settings, false),
    );
    expect(alertInputSchema.safeParse(alert).success).toBe(true);
    expect(alert?.['payload']).toMatchObject({
      alertsInAll: 900,
      alertsFiring: 900,
      alerts: { length: 100 },
    });
    expect(JSON.stringify(alert).length).toBeLessThan(60_000);
  });
});
