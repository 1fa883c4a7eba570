import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { intakeFormats } from '@casefile/runtime';
import { realWorld, type World } from './testing/world.js';
import { outage } from './toy-kind/outage/index.js';

const SECRET = 'a-secret-of-the-contact-point';
const WEBHOOK_KEY = Buffer.from('a key of a sender of events');
/** Alerts of a post. */
const MOST_ALERTS = 20;
const START = '2026-01-05T10:00:00Z';

const alert = (instance: string, over: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'ProbeFailed', instance },
  annotations: { summary: `The probe of ${instance} fails` },
  startsAt: START,
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `print-${instance}`,
  ...over,
});
const group = (version: string, ...alerts: object[]) => ({
  version,
  status: 'firing',
  truncatedAlerts: 0,
  alerts,
});

describe('webhooks over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    const file = join(temporaryFolder('webhooks'), 'config.yaml');
    writeFileSync(file, JSON.stringify({ intake: { maxBatch: MOST_ALERTS } }));
    const settings = {
      LOG_LEVEL: 'fatal',
      CASEFILE_CONFIG: file,
      CASEFILE_GRAFANA_SECRET: SECRET,
      CASEFILE_WEBHOOK_SECRET: `whsec_${WEBHOOK_KEY.toString('base64')}`,
    };
    world = await realWorld('inline', null, settings, [defineKind({ playbook: outage }), ...kinds]);
  });
  afterAll(() => world.close());

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${world.ingestUrl}/v1/${path}`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const of = (await answer.json()) as { results: { caseId: string; runId: string; joined: boolean }[] };
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), body: of };
  };
  const caseOf = async (instance: string, over: object = {}) =>
    (await post('webhooks/alertmanager', group('4', alert(instance, over)))).body.results[0];

  it('S2-40 S2-45 takes a group whose alerts are in different states, each as its own case', async () => {
    const resolved = alert('b', { status: 'resolved', endsAt: '2026-01-05T10:05:00Z' });
    const { status, body } = await post('webhooks/alertmanager', {
      ...group('4', alert('a'), alert('b'), resolved),
      truncatedAlerts: 7,
    });
    expect(status).toBe(202);
    expect(body.results[2]).toMatchObject({ caseId: body.results[1]?.caseId, joined: true });
    const [first, second] = await Promise.all(body.results.map(({ caseId }) => world.ended(caseId)));
    expect([first?.resolvedAt, second?.resolvedAt]).toEqual([null, expect.any(String)]);
    expect(first?.id).not.toBe(second?.id);
    // The run knows it at each of its stages.
    const report = (shown: typeof first) =>
      shown?.runs[0]?.artifacts.find(({ artifact }) => artifact === 'report')?.body['markdown'];
    expect(String(report(second)).replaceAll('\\', '')).toContain(second?.resolvedAt);
    expect(String(report(first))).not.toContain('Over');
    expect(first?.alerts[0]?.payload).toMatchObject({
      alert: alert('a'),
      group: { truncatedAlerts: 7 },
      title: 'ProbeFailed: The probe of a fails',
    });
  });

  it('S2-40 opens nothing for an alert that is over and was never heard of, and says so', async () => {
    const over = alert('never', { status: 'resolved', endsAt: '2026-01-05T10:05:00Z' });
    const { status, body } = await post('webhooks/alertmanager', group('4', over, alert('beside')));
    expect([status, body.results]).toEqual([
      202,
      [
        expect.objectContaining({ index: 0, ignored: 'resolved_unknown' }),
        expect.objectContaining({ index: 1, joined: false }),
      ],
    ]);
    expect(await caseOf('never')).toMatchObject({ joined: false });
  });

  it('S2-40 notes that it is over at once, and opens one more run when it fires again', async () => {
    const first = await caseOf('c');
    await world.ended(first?.caseId ?? '');
    expect(await caseOf('c')).toMatchObject({ runId: first?.runId, joined: true });
    await caseOf('c', { status: 'resolved' });
    expect((await world.platform.store.record.getCase(first?.caseId ?? ''))?.resolvedAt).toEqual(
      expect.any(String),
    );
    const again = await caseOf('c', { startsAt: '2026-01-05T11:00:00Z' });
    expect(again).toMatchObject({ caseId: first?.caseId, joined: true });
    expect(again?.runId).not.toBe(first?.runId);
    expect(await world.ended(first?.caseId ?? '')).toMatchObject({ resolvedAt: null, alertCount: 4 });
  });

  it('S2-40 one that comes back 12 times in an hour is judged 6 times, and 6 times noted with its verdict unchanged', async () => {
    let caseId = '';
    for (let minute = 0; minute < 12; minute += 1) {
      const startsAt = new Date(Date.parse(START) + minute * 60_000).toISOString();
      caseId = (await caseOf('flapping', { startsAt }))?.caseId ?? '';
      await world.ended(caseId);
      await caseOf('flapping', { startsAt, status: 'resolved' });
    }
    const shown = await world.ended(caseId);
    expect(shown).toMatchObject({ status: 'decided', flaps: 6, alertCount: 24 });
    expect(shown.runs).toHaveLength(6);
    const noted = shown.runs.flatMap(({ trace }) => trace.filter(({ type }) => type === 'case.flapping'));
    expect(noted).toHaveLength(6);
  });

  it('S2-40 takes a post by the bounds of a batch, and refuses a larger one by name', async () => {
    const many = Array.from({ length: MOST_ALERTS }, (_, i) =>
      alert(`many-${i}`, { values: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`v${n}`, n])) }),
    );
    const { status, body } = await post('webhooks/alertmanager', group('4', ...many));
    expect([status, body.results.length]).toEqual([202, MOST_ALERTS]);
    const wide = await post('webhooks/alertmanager', group('4', ...many, ...many));
    expect([wide.status, JSON.stringify(wide.body)]).toEqual([
      202,
      expect.stringContaining(`1 to ${MOST_ALERTS} alerts`),
    ]);
    const heavy = await post('webhooks/alertmanager', `{"alerts":[${'{},'.repeat(200_000)}{}]}`);
    expect([heavy.status, JSON.stringify(heavy.body)]).toEqual([
      413,
      expect.stringContaining('intake.maxBatchValues'),
    ]);
  });

  it('S2-40 keeps an alert that it refuses, alone or with others, and a post whose envelope does not fit', async () => {
    const wrong = (name: string) => alert(name, { startsAt: 'notatime' });
    const posts: [string, object][] = [
      ['webhooks/alertmanager', group('4', wrong('alone'))],
      ['webhooks/alertmanager', group('4', wrong('with'), alert('another'))],
      ['webhooks/alertmanager', { ...group('4', alert('versioned')), version: 77 }],
    ];
    for (const [path, body] of posts) {
      const answer = await post(path, body);
      expect([answer.status, answer.body.results[0]]).toEqual([
        202,
        { index: 0, problem: expect.objectContaining({ status: 400 }) },
      ]);
    }
    const { items } = await world.platform.store.deadLetters.find({ limit: 100 });
    const kept = JSON.stringify(items.map(({ payload }) => payload));
    for (const name of ['print-alone', 'print-with', 'print-versioned']) expect(kept).toContain(name);
    for (const body of ['{"version":', 'x'])
      expect((await post('webhooks/alertmanager', body)).status).toBe(400);
  });

  it('S2-40 answers 503 with Retry-After while too much waits, never 429, and keeps nothing', async () => {
    const { store } = world.platform;
    const real = store.runs.backlog;
    store.runs.backlog = async () => Number.MAX_SAFE_INTEGER;
    try {
      for (const { path, example, isBatch } of intakeFormats.filter(
        ({ signature }) => signature === undefined,
      )) {
        const answer = await post(path.replace('/v1/', ''), isBatch ? example : [example]);
        expect([answer.status, answer.retryAfter > 0]).toEqual([503, true]);
      }
    } finally {
      store.runs.backlog = real;
    }
    const { joined } = (await caseOf('b5ad2f7f0e2c3a41')) ?? {};
    expect(joined).toBe(false);
  });

  it("S2-40 takes Grafana's posts signed, and answers 401 otherwise", async () => {
    const body = JSON.stringify(group('1', alert('grafana')));
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', SECRET).update(`${time}:${body}`).digest('hex');
    const headers = {
      'x-grafana-alerting-timestamp': time,
      'x-grafana-alerting-signature': signature,
    };
    expect((await post('webhooks/grafana', body, headers)).status).toBe(202);
    expect((await post('webhooks/Grafana/', body, headers)).status).toBe(202);
    for (const wrong of [{}, { ...headers, 'x-grafana-alerting-signature': '0'.repeat(64) }])
      expect((await post('webhooks/grafana', body, wrong)).status).toBe(401);
    expect((await post('webhooks/grafana', body.replace('firing', 'resolved'), headers)).status).toBe(401);
  });

  it('S2-40 takes CloudEvents in their three forms, each once by its source and id', async () => {
    const signed = (body: string, over: Record<string, string>, id = 'msg_1') => {
      const time = String(Math.floor(Date.now() / 1000));
      const mac = createHmac('sha256', WEBHOOK_KEY).update(`${id}.${time}.${body}`).digest('base64');
      return {
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': `v1,${mac}`,
        ...over,
      };
    };
    const event = {
      specversion: '1.0',
      id: 'e1',
      source: '/probes',
      type: 'probe.failed',
      data: { text: 'It fails' },
    };
    const forms: [unknown, Record<string, string>][] = [
      [event, { 'content-type': 'application/cloudevents+json' }],
      [[event], { 'content-type': 'application/cloudevents-batch+json' }],
      [
        event.data,
        { 'ce-specversion': '1.0', 'ce-id': 'e1', 'ce-source': '%2Fprobes', 'ce-type': 'probe.failed' },
      ],
    ];
    const seen: string[] = [];
    for (const [body, headers] of forms) {
      const text = JSON.stringify(body);
      const answer = await post('cloudevents', text, signed(text, headers));
      expect(answer.status).toBe(202);
      seen.push(answer.body.results[0]?.caseId ?? '');
      expect((await post('cloudevents', text, headers)).status).toBe(401);
    }
    expect(new Set(seen).size).toBe(1);
    // Of a binary one, whose ce-id is not signed, webhook-id tells the repeat.
    const shown = { playbook: 'outage', alertCount: 2 };
    expect(await world.platform.store.record.getCase(seen[0] ?? '')).toMatchObject(shown);
    const text = JSON.stringify({ text: 'Something else fails' });
    const ids = new Set<string>();
    for (let i = 0; i < 20; i += 1) {
      const ce = { 'ce-specversion': '1.0', 'ce-id': `e${i}`, 'ce-source': `/p${i}`, 'ce-type': 't' };
      const answer = await post('cloudevents', text, signed(text, ce, 'msg_2'));
      ids.add(answer.body.results[0]?.caseId ?? 'no case');
    }
    expect([ids.size, ids.has('no case')]).toEqual([1, false]);
    expect(await world.platform.store.record.getCase([...ids][0] ?? '')).toMatchObject({ alertCount: 1 });
  });

  it('S2-40 takes alerts of a source with a secret at its own address alone, and lets no other one close them', async () => {
    const signedPost = (body: string) => {
      const time = String(Math.floor(Date.now() / 1000));
      const mac = createHmac('sha256', SECRET).update(`${time}:${body}`).digest('hex');
      return post('webhooks/grafana', body, {
        'x-grafana-alerting-timestamp': time,
        'x-grafana-alerting-signature': mac,
      });
    };
    const fired = await signedPost(JSON.stringify(group('1', alert('reserved'))));
    const caseId = fired.body.results[0]?.caseId ?? '';
    const resolved = alert('reserved', { status: 'resolved', endsAt: '2026-01-05T10:05:00Z' });
    for (const source of ['grafana', 'Grafana ']) {
      const claimed = { playbook: 'outage', source, payload: { alert: resolved } };
      expect(await post('alerts', claimed)).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'source' }] },
      });
    }
    for (const source of [undefined, 'probe', 'alertmanager']) {
      const other = await post('alerts', { playbook: 'outage', source, payload: { alert: resolved } });
      expect(other.body).not.toMatchObject({ caseId });
    }
    await post('webhooks/alertmanager', group('4', alert('reserved'), resolved));
    const shown = () => world.platform.store.record.getCase(caseId);
    expect(await shown()).toMatchObject({ resolvedAt: null, alertCount: 1 });
    await signedPost(JSON.stringify(group('1', resolved)));
    expect(await shown()).toMatchObject({ resolvedAt: expect.any(String), alertCount: 2 });
  });
});
