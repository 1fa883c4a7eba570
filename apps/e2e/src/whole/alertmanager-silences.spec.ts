import { until } from '@casefile/contracts/testing';
import { startAlertmanager, type Alertmanager } from '../testing/alertmanager.js';
import { inThisProcess, type SystemUnderTest } from '../testing/launched-services.js';
import { pagerReceiver, type PagerReceiver } from '../testing/pager-receiver.js';

const HOUR_MS = 3_600_000;

describe('the silences of a real Alertmanager', () => {
  let receiver: PagerReceiver;
  let alertmanager: Alertmanager;
  let world: SystemUnderTest;
  const pages = () => receiver.received.filter(({ path }) => path === '/pager').length;
  const silence = async (matchers: object[]): Promise<string> => {
    const now = Date.now();
    const response = await fetch(`${alertmanager.url}/api/v2/silences`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        matchers,
        startsAt: new Date(now).toISOString(),
        endsAt: new Date(now + HOUR_MS).toISOString(),
        createdBy: 'ben',
        comment: 'A move',
      }),
    });
    return ((await response.json()) as { silenceID: string }).silenceID;
  };

  beforeAll(async () => {
    receiver = await pagerReceiver();
    const options = { groupBy: 'alertname', groupSeconds: 1, repeatSeconds: 3_600 };
    alertmanager = await startAlertmanager({ webhookUrl: `${receiver.url}/unused`, ...options });
    world = await inThisProcess({
      settings: {
        alertmanager: { url: alertmanager.url, allowPrivate: true, everySeconds: 1 },
        destinations: {
          oncall: {
            type: 'pagerduty',
            url: `${receiver.url}/pager`,
            secret: '${PAGER_KEY}',
            allowPrivate: true,
            when: { disposition: 'act' },
          },
        },
      },
      env: () => ({ LLM_PROVIDER: 'none', PAGER_KEY: 'a-routing-key' }),
    });
  });
  afterAll(async () => {
    await world.close();
    await alertmanager.stop();
    receiver.close();
  });

  it('withhold pages, and end when Alertmanager expires them', async () => {
    const exact = { name: 'service', value: 'checkout', isRegex: false, isEqual: true };
    const id = await silence([exact, { name: 'instance', value: 'db-.*', isRegex: true, isEqual: true }]);
    const broad = await silence([{ name: 'alertname', value: '.+', isRegex: true, isEqual: true }]);
    const shown = async (wanted: string) => {
      const all = await world.store.silences.list(null, Date.now());
      return all.find((one) => one.id === wanted);
    };
    await until(
      'both are read',
      async () => (await shown(id)) !== undefined && (await shown(broad)) !== undefined,
    );
    expect(await shown(id)).toMatchObject({
      source: 'alertmanager',
      state: 'active',
      author: 'ben',
      problem: null,
    });
    expect(await shown(broad)).toMatchObject({
      problem: expect.stringContaining('no matcher with an exact value'),
    });
    await world.post('/v1/webhooks/alertmanager', {
      version: '4',
      status: 'firing',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'Down', instance: 'db-1', severity: 'critical', service: 'checkout' },
          annotations: { summary: 'Checkout answers 34.8 % of requests with HTTP 502' },
          startsAt: '2026-01-05T10:00:00Z',
          endsAt: '0001-01-01T00:00:00Z',
          fingerprint: 'a',
        },
      ],
    });
    await until('the page is withheld', async () => (await shown(id))?.withheld.critical === 1);
    expect(pages()).toBe(0);
    await fetch(`${alertmanager.url}/api/v2/silence/${id}`, { method: 'DELETE' });
    await until('the page leaves', () => pages() === 1);
    expect(await shown(id)).toMatchObject({ state: 'over' });
  });
});
