import { until } from '@casefile/contracts/testing';
import { passTimeIn } from '@casefile/store/testing';
import { inThisProcess, type SystemUnderTest } from './testing/launched-services.js';
import { pagerReceiver, type PagerReceiver } from './testing/pager-receiver.js';
import { runCasefile } from './testing/run-casefile.js';

interface Page {
  event_action: string;
  dedup_key: string;
  links: { href: string; text: string }[];
}
interface Message {
  data: { caseId: string; title: string; text: string };
}

describe('a page that nobody acknowledges', () => {
  let receiver: PagerReceiver;
  let world: SystemUnderTest;
  const bodies = <T>(path: string): T[] =>
    receiver.received.filter((one) => one.path === path).map(({ text }) => JSON.parse(text) as T);
  const pages = (caseId: string) => bodies<Page>('/pager').filter((page) => page.dedup_key === caseId);
  const escalated = () => bodies<Message>('/second').map(({ data }) => data);
  const alert = (instance: string, over: object = {}) => ({
    status: 'firing',
    labels: { alertname: 'CheckoutDown', instance, severity: 'critical', service: 'checkout' },
    annotations: { summary: 'Checkout answers 34.8 % of requests with HTTP 502' },
    startsAt: '2026-01-05T10:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: instance,
    ...over,
  });
  const fire = async (instance: string, over: object = {}): Promise<string> => {
    const body = { version: '4', status: 'firing', alerts: [alert(instance, over)] };
    const answer = (await world.post('/v1/webhooks/alertmanager', body)) as { results: { caseId: string }[] };
    return answer.results[0]?.caseId ?? '';
  };
  const paged = async (instance: string): Promise<string> => {
    const caseId = await fire(instance);
    await until('it is paged', () => pages(caseId).length === 1);
    await until('the page is recorded as delivered', async () => {
      const { deliveries } = await world.store.destinations.list({ caseId, limit: 10 });
      return deliveries.every(({ state }) => state === 'delivered');
    });
    return caseId;
  };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${world.service('console').url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'ann', ...body }),
    });
    return { status: response.status, answer: (await response.json()) as { id?: string } };
  };
  /** Presses the button behind the link of the page. */
  const press = async (caseId: string) => {
    const href = pages(caseId)[0]!.links.find(({ text }) => text === 'Acknowledge')?.href ?? '';
    const { url } = world.service('console');
    return fetch(`${url}${new URL(href).pathname}`, {
      method: 'POST',
      headers: {
        origin: url,
        'content-type': 'multipart/form-data; boundary=x',
        'sec-fetch-site': 'same-origin',
      },
    });
  };

  beforeAll(async () => {
    receiver = await pagerReceiver();
    const { url } = receiver;
    world = await inThisProcess({
      settings: {
        destinations: {
          oncall: {
            type: 'pagerduty',
            url: `${url}/pager`,
            secret: '${PAGER_KEY}',
            allowPrivate: true,
            acknowledgeLink: true,
            escalateTo: 'second',
            acknowledgeWithinSeconds: 900,
          },
          second: {
            type: 'webhook',
            url: `${url}/second`,
            allowPrivate: true,
            when: { playbook: 'research' },
          },
        },
      },
      env: () => ({ LLM_PROVIDER: 'none', PAGER_KEY: 'a-routing-key' }),
    });
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
  });

  it('wakes the next destination once, unless a link, a silence or the end of the alert stopped it', async () => {
    const unseen = await paged('unseen');
    const seen = await paged('seen');
    const over = await paged('over');
    const silenced = await paged('silenced');
    expect((await press(seen)).status).toBe(200);
    await fire('over', { status: 'resolved', endsAt: '2026-01-05T11:00:00Z' });
    const silence = await post('/silences', {
      matchers: [{ name: 'instance', value: 'silenced', isRegex: false, isEqual: true }],
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
      reason: 'A move of the database',
    });
    expect(silence.status).toBeLessThan(300);
    expect(escalated()).toEqual([]);

    await passTimeIn(world.databaseUrl, 901_000);
    await until('the page is escalated', () => escalated().length > 0);
    expect(escalated()).toMatchObject([
      {
        caseId: unseen,
        title: expect.stringMatching(/^Not acknowledged at oncall: /),
        text: expect.stringMatching(/^Not acknowledged at oncall: [^]*34\.8 %/),
      },
    ]);

    // After the silence, nobody has acknowledged what still fires.
    expect((await post(`/silences/${silence.answer.id ?? ''}/end`, { reason: 'It is done' })).status).toBe(
      200,
    );
    await until('the other page is escalated', () => escalated().length > 1);
    expect((await post(`/cases/${unseen}/acknowledge`, {})).answer).toEqual({
      destinations: ['oncall'],
    });
    await passTimeIn(world.databaseUrl, 901_000);
    const late = await paged('late');
    await passTimeIn(world.databaseUrl, 901_000);
    await until('a later page is escalated', () => escalated().length > 2);
    expect(escalated().map(({ caseId }) => caseId)).toEqual([unseen, silenced, late]);
    const pagesOf = [unseen, seen, over, silenced].map((caseId) =>
      pages(caseId).map((page) => page.event_action),
    );
    expect(pagesOf).toEqual([
      ['trigger', 'acknowledge'],
      ['trigger', 'acknowledge'],
      ['trigger', 'resolve'],
      ['trigger'],
    ]);

    const { deliveries } = await world.store.destinations.list({ caseId: unseen, limit: 10 });
    const facts = deliveries.map(({ destination, kind, acknowledged, escalated: from }) => [
      `${destination} ${kind}`,
      acknowledged?.by ?? null,
      from,
    ]);
    expect(facts.sort()).toEqual([
      ['oncall acknowledged', null, null],
      ['oncall verdict', 'ann', null],
      ['second verdict', 'ann', { from: 'oncall', why: 'not-acknowledged' }],
    ]);
    const { lines } = await runCasefile(
      'deliveries',
      'list',
      '--case',
      unseen,
      '--console',
      world.service('console').url,
    );
    expect(lines.join('\n')).toMatch(
      /second +verdict .* escalated from oncall: not acknowledged in time; acknowledged by ann at /,
    );
    const [page] = (await world.store.destinations.list({ caseId: seen, limit: 10 })).deliveries.slice(-1);
    expect(page).toMatchObject({ kind: 'verdict', acknowledged: { by: 'link of oncall' } });
  });
});
