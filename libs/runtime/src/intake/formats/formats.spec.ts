import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { alertInputSchema, InvalidInput, type JsonObject } from '@casefile/contracts';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import type { Post, ReadAlert } from '../format.js';
import { exampleGroup } from './alertmanager.js';
import { cloudEvents } from './cloudevents.js';
import { grafana } from './grafana.js';
import { formatAt, intakeFormats } from './index.js';

const SETTINGS = { maxBatch: 5, cloudEventTypes: { 'com.example.parcel': 'parcels' } } as never;
const BODY = readFileSync(new URL('../testing/grafana-as-documented.json', import.meta.url));
const NOW = Date.parse('2026-01-05T10:00:00Z');

const post = (body: unknown, headers: Post['headers'] = {}, raw = JSON.stringify(body) ?? ''): Post => ({
  body,
  raw: Buffer.from(raw),
  headers,
});
const alertsOf = (read: ReadAlert[]): JsonObject[] =>
  read.map((one) => ('alert' in one ? one.alert : { wrong: one.problems as never }));
const readBy = (name: string, body: unknown, headers?: Post['headers'], isSigned = false) =>
  intakeFormats.find((format) => format.name === name)?.read(post(body, headers), SETTINGS, isSigned) ?? [];

describe('the formats of intake', () => {
  it('S2-40 are all files of the folder, each under its own name and address', () => {
    const files = readdirSync(new URL('.', import.meta.url))
      .filter((name) => !name.endsWith('.spec.ts') && name !== 'index.ts')
      .map((name) => name.replace(/\.ts$/, ''));
    expect(intakeFormats.map(({ name }) => name).sort()).toEqual(files.sort());
    for (const format of intakeFormats) {
      expect(formatAt(format.path, intakeFormats)).toBe(format);
      expect(formatAt(`${format.path.toUpperCase()}/`, intakeFormats)).toBe(format);
    }
    expect(new Set(intakeFormats.map(({ path }) => path)).size).toBe(intakeFormats.length);
    expect(formatAt('/v1/alerts', intakeFormats)).toBeUndefined();
  });

  it.each(intakeFormats)('S2-40 $name takes the example that its document shows', (format) => {
    const headers = { 'content-type': 'application/cloudevents+json' };
    const [alert] = alertsOf(format.read(post(format.example, headers), SETTINGS, false));
    expect(alertInputSchema.safeParse(alert).success).toBe(true);
    expect(format.body.safeParse(format.example).success).toBe(true);
    expect(alert?.['playbook']).toBeUndefined();
  });

  it('S2-40 keeps an alert of Alertmanager as it was sent, with its group, its labels and a title', () => {
    const [sent] = exampleGroup['alerts'] as JsonObject[];
    const [alert] = alertsOf(readBy('alertmanager', { version: '4', ...exampleGroup, truncatedAlerts: 3 }));
    const { alerts: _, status: _status, ...group } = exampleGroup;
    expect(alert).toEqual({
      source: 'alertmanager',
      labels: sent?.['labels'],
      payload: {
        alert: sent,
        group: { ...group, truncatedAlerts: 3 },
        title: 'DiskFull: The disk of db-1 is full',
      },
    });
  });

  it('S2-40 S2-45 tells the wrong alerts of a post by their place, and reads the others', () => {
    const good = (exampleGroup['alerts'] as JsonObject[])[0];
    const body = {
      version: '4',
      ...exampleGroup,
      alerts: [good, { ...good, startsAt: 'now' }, 7, { ...good, status: 'x' }],
    };
    const paths = readBy('alertmanager', body).map((one) =>
      'problems' in one ? one.problems.map(({ path }) => path) : 'read',
    );
    expect(paths).toEqual(['read', ['alerts[1].startsAt'], ['alerts[2]'], ['alerts[3].status']]);
  });

  it.each<[string, unknown, string]>([
    ['a version that is no text', { ...exampleGroup, version: 4 }, 'version'],
    ['no alerts', { ...exampleGroup, alerts: undefined }, 'alerts'],
    ['no alert', { version: '4', ...exampleGroup, alerts: [] }, 'alerts'],
    ['too many alerts', { version: '4', ...exampleGroup, alerts: Array(6).fill({}) }, 'alerts'],
    ['a list', [], ''],
    ['nothing', undefined, ''],
  ])('S2-40 refuses a post with %s, and names the field', (_what, body, path) => {
    const read = () => readBy('alertmanager', body);
    expect(read).toThrow(InvalidInput);
    expect(read).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ path })] }));
  });

  it('S2-40 keeps no group of any size with each of many alerts, and no label that an alert cannot have', () => {
    const good = (exampleGroup['alerts'] as JsonObject[])[0];
    const labels = { alertname: 'x', note: 'y'.repeat(2_000) };
    const body = {
      version: '4',
      ...exampleGroup,
      truncatedAlerts: 4,
      commonLabels: { big: 'z'.repeat(100_000) },
    };
    const alerts = alertsOf(readBy('alertmanager', { ...body, alerts: [{ ...good, labels }] }));
    const [alert] = alerts as [{ labels: JsonObject; payload: { group: JsonObject; alert: JsonObject } }];
    expect(JSON.stringify(alert.payload.group).length).toBeLessThan(4_000);
    expect(alert.payload.group).toMatchObject({ truncatedAlerts: 4, receiver: 'casefile' });
    expect(alert.labels).toEqual({ alertname: 'x' });
    expect(alert.payload.alert['labels']).toEqual(labels);
  });
});

describe("Grafana's webhook, by its documentation", () => {
  const secret = 'a-secret-of-the-contact-point';
  const time = String(NOW / 1000);
  const sign = (at: string, body: Uint8Array | string) =>
    createHmac('sha256', secret).update(`${at}:`).update(body).digest('hex');
  const signed = (at = time, body: Buffer = BODY, over: Post['headers'] = {}): Post => ({
    body: null,
    raw: body,
    headers: {
      'x-grafana-alerting-timestamp': at,
      'x-grafana-alerting-signature': sign(at, body),
      ...over,
    },
  });
  const verify = (one: Post, now = NOW) => grafana.signature?.verify(one, secret, now);
  const refused = { reasonCode: 'bad_signature' };

  it('S2-40 is read as it is documented, firing and resolved in one post', () => {
    const alerts = alertsOf(readBy('grafana', JSON.parse(BODY.toString())));
    expect(alerts).toMatchObject([
      { source: 'grafana', payload: { title: 'High latency: Search is slow in eu-2' } },
      { labels: { zone: 'us-1' }, payload: { alert: { status: 'resolved', values: null } } },
    ]);
  });

  it('S2-40 is taken when it is signed over the time and the bytes, for five minutes', () => {
    verify(signed());
    verify(signed(), NOW + 299_000);
    for (const now of [NOW + 301_000, NOW - 301_000])
      expect(() => verify(signed(), now)).toThrow(expect.objectContaining(refused));
  });

  it('S2-40 is refused when anything of it was changed', () => {
    const flips = fc.tuple(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(flips, ([at, by]) => {
        const body = Buffer.from(BODY);
        body[at] = (body[at] ?? 0) ^ by;
        const { headers } = signed();
        expect(() => verify({ body: null, raw: body, headers })).toThrow(expect.objectContaining(refused));
      }),
    );
  });

  it.each<[string, Post['headers']]>([
    ['no signature', { 'x-grafana-alerting-signature': undefined }],
    ['no time, so that nothing proves when it was sent', { 'x-grafana-alerting-timestamp': undefined }],
    ['another time than the signed one', { 'x-grafana-alerting-timestamp': String(NOW / 1000 - 1) }],
    ['a signature that is no hex', { 'x-grafana-alerting-signature': 'z'.repeat(64) }],
    ['an empty signature', { 'x-grafana-alerting-signature': '' }],
    ['two signatures', { 'x-grafana-alerting-signature': ['a', 'b'] as never }],
    ['the signature of nothing', { 'x-grafana-alerting-signature': '0'.repeat(64) }],
  ])('S2-40 is refused with %s', (_what, over) => {
    expect(() => verify(signed(time, BODY, over))).toThrow(expect.objectContaining(refused));
  });

  it('S2-40 is refused when it is signed over the body alone', () => {
    const plain = createHmac('sha256', secret).update(BODY).digest('hex');
    expect(() => verify(signed(time, BODY, { 'x-grafana-alerting-signature': plain }))).toThrow(
      expect.objectContaining(refused),
    );
  });
});

describe('CloudEvents', () => {
  const STRUCTURED = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
  const BATCH = { 'content-type': 'application/cloudevents-batch+json' };
  const event = (over: object = {}) => ({ ...cloudEvents.example, ...over });
  const binary = (over: Post['headers'] = {}): Post['headers'] => ({
    'content-type': 'application/json',
    'ce-specversion': '1.0',
    'ce-id': 'A234-1234',
    'ce-source': '/monitoring/probes',
    'ce-type': 'com.example.probe.failed',
    ...over,
  });

  it('S2-40 say the same structured, binary and in a batch', () => {
    const [structured] = readBy('cloudevents', event(), STRUCTURED);
    const [batched] = readBy('cloudevents', [event()], BATCH);
    const [headed] = readBy('cloudevents', cloudEvents.example['data'], binary());
    expect(structured).toEqual({
      alert: { source: '/monitoring/probes', text: expect.stringContaining('api.example') },
      idempotencyKey: expect.stringMatching(/^cloudevents:[0-9a-f]{64}$/),
    });
    expect([batched, headed]).toEqual([structured, structured]);
  });

  it('S2-40 are told apart by source and id, and by nothing else', () => {
    const key = (over: object) =>
      (readBy('cloudevents', event(over), STRUCTURED)[0] as never)['idempotencyKey'];
    expect(key({ type: 'x', data: { text: 'y' } })).toBe(key({}));
    expect(new Set([key({}), key({ id: 'b' }), key({ source: 'b' })]).size).toBe(3);
    expect(key({ source: 'a', id: 'bc' })).not.toBe(key({ source: 'ab', id: 'c' }));
  });

  it('S2-40 are told apart by webhook-id when they are signed in binary mode, whatever is not signed', () => {
    const read = (over: Post['headers'], body: unknown = cloudEvents.example['data']) =>
      readBy('cloudevents', body, binary({ 'webhook-id': 'msg_1', ...over }), true)[0] as never;
    const key = (...args: Parameters<typeof read>) => read(...args)['idempotencyKey'];
    for (const over of [{ 'ce-id': 'x' }, { 'ce-source': 'x' }, { 'ce-type': 'com.example.parcel' }])
      expect([key(over), read(over)['signedPart']]).toEqual([key({}), cloudEvents.example['data']]);
    expect(key({ 'webhook-id': 'msg_2' })).not.toBe(key({}));
    const [structured] = readBy('cloudevents', event(), STRUCTURED, true);
    expect(structured).toEqual(readBy('cloudevents', event(), STRUCTURED)[0]);
  });

  it('S2-40 signed as a whole event are no data of another one by a changed content type', () => {
    const changed = readBy(
      'cloudevents',
      event({ text: 'taken as data' }),
      binary({ 'webhook-id': 'm' }),
      true,
    );
    expect(changed).toMatchObject([{ problems: [{ path: 'Content-Type' }] }]);
  });

  it('S2-40 go to the kind that a setting gives their type, unless their data names one', () => {
    const kind = (over: object) => alertsOf(readBy('cloudevents', event(over), STRUCTURED))[0]?.['playbook'];
    expect(kind({ type: 'com.example.parcel' })).toBe('parcels');
    expect(kind({ type: 'com.example.parcel', data: { playbook: 'other', text: 'x' } })).toBe('other');
    expect(kind({ type: 'constructor' })).toBeUndefined();
  });

  it('S2-40 of which one is wrong are told by their fields', () => {
    const events = [event(), event({ data: 'text' }), event({ id: '' }), { specversion: '0.3' }];
    const read = readBy('cloudevents', events, BATCH);
    expect(read.map((one) => ('problems' in one ? one.problems[0]?.path : 'read'))).toEqual([
      'read',
      'data',
      'id',
      'specversion',
    ]);
    expect(() => readBy('cloudevents', event(), { 'content-type': 'application/json' })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path: 'Content-Type' })] }),
    );
    for (const many of [[], Array(6).fill(event()), event()])
      expect(() => readBy('cloudevents', many, BATCH)).toThrow(InvalidInput);
  });

  it('S2-40 are taken signed as Standard Webhooks has it, and not after five minutes, nor changed', () => {
    const secret = `whsec_${Buffer.from('sixteen bytes or more').toString('base64')}`;
    const body = JSON.stringify(event());
    const at = (ms: number) => {
      const time = new Date(ms);
      return {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(ms / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', time, body),
      };
    };
    const verify = (headers: Post['headers'], raw = body) =>
      cloudEvents.signature?.verify(post(null, headers, raw), secret, 0);
    verify(at(Date.now()));
    const wrong: [Post['headers'], string?][] = [
      [at(Date.now() - 400_000)],
      [at(Date.now() + 400_000)],
      [at(Date.now()), `${body} `],
      [{}],
      [{ ...at(Date.now()), 'webhook-signature': 'v1' }],
      [{ ...at(Date.now()), 'webhook-id': 'msg_2' }],
    ];
    for (const [headers, raw] of wrong)
      expect(() => verify(headers, raw)).toThrow(expect.objectContaining({ reasonCode: 'bad_signature' }));
  });
});
