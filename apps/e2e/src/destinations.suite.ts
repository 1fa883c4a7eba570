import { until } from '@casefile/contracts/testing';
import { createHmac } from 'node:crypto';
import { messageSchema } from '@casefile/console/outbound-webhooks';
import { Webhook } from 'standardwebhooks';
import type { StartSystem, SystemUnderTest } from './testing/launched-services.js';
import { pagerReceiver, type PagerReceiver } from './testing/pager-receiver.js';

const KEY = Buffer.alloc(32, 9);

interface Page {
  event_action: string;
  dedup_key: string;
  payload: { custom_details: { text: string } };
}

const alert = (instance: string, over: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'CheckoutDown', instance, severity: 'critical', service: 'checkout' },
  annotations: { summary: 'Checkout answers 34.8 % of requests with HTTP 502' },
  startsAt: '2026-01-05T10:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `print-${instance}`,
  ...over,
});
const post = (...alerts: object[]) => ({ version: '4', status: 'firing', alerts });

/** Tests what destinations receive. */
export function reachesDestinations(start: StartSystem): void {
  let receiving: PagerReceiver;
  let world: SystemUnderTest;
  const at = (path: string) => receiving.received.filter((one) => one.path === path);
  const pages = () => at('/pager').map(({ text }) => JSON.parse(text) as Page);

  beforeAll(async () => {
    receiving = await pagerReceiver();
    const { url } = receiving;
    world = await start({
      settings: {
        // Each alert has a verdict of its own to deliver, also if many arrive together.
        correlation: { enabled: false },
        delivery: { consoleUrl: 'https://casefile.example', addedAllowPrivate: true },
        destinations: {
          oncall: {
            type: 'pagerduty',
            url: `${url}/pager`,
            secret: '${PAGER_KEY}',
            allowPrivate: true,
            when: { playbook: 'incident', disposition: 'act', severity: 'critical' },
          },
          archive: { type: 'webhook', url: '${ARCHIVE_URL}', secret: '${ARCHIVE_KEY}', allowPrivate: true },
          guarded: { type: 'webhook', url: `${url}/guarded` },
          other: {
            type: 'webhook',
            url: `${url}/other`,
            allowPrivate: true,
            when: { labels: { service: 'search' } },
          },
        },
      },
      env: () => ({
        LLM_PROVIDER: 'none',
        PAGER_KEY: 'a-routing-key',
        ARCHIVE_URL: `${url}/archive`,
        ARCHIVE_KEY: `whsec_${KEY.toString('base64')}`,
        DESTINATION_TOKEN: 'a-bearer-token',
      }),
    });
  });
  afterAll(async () => {
    await world.close();
    receiving.close();
  });

  it('page the person on call for a critical alert of Alertmanager, and resolve it when it is over', async () => {
    const answer = (await world.post('/v1/webhooks/alertmanager', post(alert('a')))) as {
      results: { caseId: string }[];
    };
    const caseId = answer.results[0]?.caseId ?? '';
    await until('the page is received', () => pages().length === 1);
    expect(pages()[0]).toMatchObject({
      routing_key: 'a-routing-key',
      event_action: 'trigger',
      dedup_key: caseId,
      payload: {
        severity: 'critical',
        summary: expect.stringMatching(/^PAGE: CheckoutDown\. Checkout answers 34\.8 %/),
      },
      links: [
        { href: `https://casefile.example/cases/${caseId}` },
        { href: `https://casefile.example/cases/${caseId}?acknowledge=1` },
      ],
    });
    const { text } = pages()[0]!.payload.custom_details;
    expect(text.split('\n')).toEqual([
      'PAGE: CheckoutDown. Checkout answers 34.8 % of requests with HTTP 502',
      'Affected: service checkout, instance a',
      'Since: 2026-01-05 10:00 UTC, still firing',
      expect.stringMatching(/^Why: The cause is not known\. /),
      `https://casefile.example/cases/${caseId}`,
    ]);
    // The page of the link acts only when a person confirms.
    await fetch(`${world.service('console').url}/cases/${caseId}?acknowledge=1`);
    const acknowledge = async (id: string) => {
      const url = `${world.service('console').url}/api/v1/cases/${id}/acknowledge`;
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"by":"ann"}' };
      const response = await fetch(url, init);
      return { status: response.status, answer: (await response.json()) as object };
    };
    const paged = { status: 200, answer: { destinations: ['oncall'] } };
    expect([await acknowledge(caseId), await acknowledge(caseId)]).toEqual([paged, paged]);
    await until('it is acknowledged', () => pages().some((page) => page.event_action === 'acknowledge'));
    expect(pages().slice(1)).toMatchObject([{ event_action: 'acknowledge', dedup_key: caseId }]);
    expect(await acknowledge('01900000-0000-7000-8000-00000000000a')).toMatchObject({ status: 404 });
    const over = alert('a', { status: 'resolved', endsAt: '2026-01-05T11:00:00Z' });
    await world.post('/v1/webhooks/alertmanager', post(over));
    await until('the end is received', () => pages().some((page) => page.event_action === 'resolve'));
    expect(pages().at(-1)).toMatchObject({ event_action: 'resolve', dedup_key: caseId });
  });

  it('sign webhooks so that a check without our code accepts them, and send nothing to private addresses or other labels', async () => {
    await until('the archive has it', () => at('/archive').length > 0);
    const { headers, text } = at('/archive')[0]!;
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
    const signature = `v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`;
    expect(headers['webhook-signature']).toBe(signature);
    expect(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(300);
    // The client of the Standard Webhooks library accepts the bytes, and refuses others.
    const client = new Webhook(`whsec_${KEY.toString('base64')}`);
    const sent = headers as Record<string, string>;
    expect(client.verify(text, sent)).toEqual(JSON.parse(text));
    expect(() => client.verify(`${text} `, sent)).toThrow('No matching signature found');
    expect(JSON.parse(text)).toMatchObject({
      type: 'verdict.decided',
      data: { deliveryId: headers['webhook-id'] },
    });
    const { data } = JSON.parse(text) as { data: object };
    const { required, properties } = messageSchema().properties.data;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(data)));
    expect(Object.keys(data)).toEqual(expect.arrayContaining(required));
    expect([...at('/guarded'), ...at('/other')]).toEqual([]);
    await until('the guard has refused it', async () => {
      const { deliveries } = await world.store.destinations.list({ destination: 'guarded', limit: 10 });
      return deliveries.some(({ attempts }) => attempts.length > 0);
    });
    const { deliveries } = await world.store.destinations.list({ destination: 'guarded', limit: 10 });
    expect(deliveries[0]?.attempts[0]).toMatchObject({
      status: null,
      problem: expect.stringContaining('not public'),
    });
  });

  it('receive each verdict at least once, twice only with the same deliveryId, also if the sender is killed', async () => {
    const before = at('/archive').length;
    const instances = Array.from({ length: 12 }, (_, i) => `k${i}`);
    receiving.refuseOnce(6);
    await Promise.all(instances.map((one) => world.post('/v1/webhooks/alertmanager', post(alert(one)))));
    await until('some are received', () => at('/archive').length > before + 2);
    await world.crash?.();
    const idsByRun = () => {
      const byRun = new Map<string, Set<string>>();
      for (const { text } of at('/archive').slice(before)) {
        const { data } = JSON.parse(text) as { data: { runId: string; deliveryId: string } };
        byRun.set(data.runId, (byRun.get(data.runId) ?? new Set()).add(data.deliveryId));
      }
      return byRun;
    };
    await until('every verdict was delivered', async () => {
      const [state] = await world.store.destinations.states(['archive']);
      return idsByRun().size === instances.length && state?.pending === 0;
    });
    expect([...idsByRun().values()].map(({ size }) => size)).toEqual(instances.map(() => 1));
  });

  it('send a test that a person asks for in the console, which has no secrets', async () => {
    const id = '01900000-0000-7000-8000-000000000001';
    const test = {
      id,
      destination: 'oncall',
      kind: 'test' as const,
      key: 'test 1',
      caseId: null,
      runId: null,
    };
    await world.store.destinations.add([{ ...test, openUntil: null }], Date.now());
    const tests = () => pages().filter(({ dedup_key: key }) => key === `casefile-test-${id}`);
    await until('the test is received', () => tests().length === 1);
    expect(tests()[0]).toMatchObject({
      payload: { severity: 'info', summary: 'Test of the destination oncall' },
    });
  });

  it('are added, changed and removed by a person, in force without a restart', async () => {
    const ask = async (path: string, body: object) => {
      const response = await fetch(`${world.service('console').url}/api/v1/destinations${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ by: 'ann', reason: 'A new receiver.', ...body }),
      });
      return { status: response.status, answer: (await response.json()) as object };
    };
    const destination = {
      type: 'template',
      url: `${receiving.url}/added`,
      allowPrivate: true,
      headers: { authorization: 'Bearer ${DESTINATION_TOKEN}' },
      body: '{ "text": "{{title}}" }',
      when: { labels: { instance: 'added' } },
    };
    const stolen = { ...destination, headers: { authorization: '${PAGER_KEY}' } };
    expect(await ask('', { name: 'added', destination: stolen })).toMatchObject({
      status: 400,
      answer: {
        detail: expect.stringContaining('destination.headers.authorization: expected only variables'),
      },
    });
    const known = { status: 409, answer: { detail: expect.stringContaining('CASEFILE_CONFIG') } };
    expect(await ask('', { name: 'oncall', destination })).toMatchObject(known);
    expect(await ask('/oncall/remove', {})).toMatchObject(known);

    const add = { name: 'added', destination, actId: 'act-1' };
    expect([await ask('', add), await ask('', add)]).toMatchObject([{ status: 201 }, { status: 201 }]);
    expect(await ask('', { ...add, actId: 'act-2' })).toMatchObject({ status: 409 });
    await ask('/added/test', {});
    await until('the test is received', () => at('/added').length === 1);
    expect(at('/added')[0]).toMatchObject({
      headers: { authorization: 'Bearer a-bearer-token' },
      text: '{ "text": "Test of the destination added" }',
    });
    await world.post('/v1/webhooks/alertmanager', post(alert('added'), alert('not-added')));
    await until('the verdict is received', () => at('/added').length === 2);

    const { url: _kept, ...changed } = { ...destination, headers: { 'x-key': '${DESTINATION_UNSET}' } };
    expect(await ask('/added', { destination: changed })).toMatchObject({
      status: 200,
      answer: {
        source: 'page',
        changedBy: 'ann',
        address: receiving.url,
        entry: { headers: changed.headers },
      },
    });
    const deliveries = async () =>
      (await world.store.destinations.list({ destination: 'added', limit: 10 })).deliveries;
    await until('a test fails, and names the variable', async () => {
      await ask('/added/test', {});
      const problems = (await deliveries()).flatMap(({ attempts }) => attempts.map(({ problem }) => problem));
      return problems.some((problem) => problem?.includes('DESTINATION_UNSET') === true);
    });
    expect(await ask('/added/remove', {})).toEqual({ status: 200, answer: { removed: 'added' } });
    expect(await ask('/added/remove', {})).toMatchObject({ status: 404 });
    expect((await deliveries()).filter(({ state }) => state === 'pending')).toEqual([]);
    const acts = await world.store.database.rows<object>(
      `select type, "by", reason from acts where subject = 'destination added' order by at`,
    );
    expect(acts).toEqual(
      ['destination.added', 'destination.changed', 'destination.removed'].map((type) => ({
        type,
        by: 'ann',
        reason: 'A new receiver.',
      })),
    );
  });
}
