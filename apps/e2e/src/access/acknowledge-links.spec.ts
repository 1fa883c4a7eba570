import { until } from '@casefile/contracts/testing';
import { request as send } from 'node:http';
import { inThisProcess, type SystemUnderTest } from '../testing/launched-services.js';
import { pagerReceiver, type PagerReceiver } from '../testing/pager-receiver.js';

const WORDS = 'Checkout answers 34.8 % of requests with HTTP 502';
interface Page {
  event_action: string;
  dedup_key: string;
  links: { href: string; text: string }[];
}

describe('a link that acknowledges a page without a session', () => {
  let receiver: PagerReceiver;
  let world: SystemUnderTest;
  let key: string;
  const pages = (caseId: string) =>
    receiver.received
      .filter(({ path }) => path === '/pager')
      .map(({ text }) => JSON.parse(text) as Page)
      .filter((page) => page.dedup_key === caseId);
  const acts = (caseId: string) =>
    world.store.database.rows<{ by: string }>(
      `select data ->> 'by' as by from events where type = 'operator.acknowledged-page' and data ->> 'caseId' = $1 order by id`,
      [caseId],
    );

  /** Fires an alert, and returns its case with the link of its page. */
  const paged = async (instance: string): Promise<{ caseId: string; url: string }> => {
    const labels = { alertname: 'CheckoutDown', instance, severity: 'critical', service: 'checkout' };
    const times = { startsAt: '2026-01-05T10:00:00Z', endsAt: '0001-01-01T00:00:00Z' };
    const alert = {
      status: 'firing',
      labels,
      annotations: { summary: WORDS },
      fingerprint: instance,
      ...times,
    };
    const response = await fetch(`${world.service('ingest').url}/v1/webhooks/alertmanager`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ version: '4', status: 'firing', alerts: [alert] }),
    });
    const answer = (await response.json()) as { results: { caseId: string }[] };
    const caseId = answer.results[0]?.caseId ?? '';
    await until('the page is received', () => pages(caseId).length > 0);
    const href = pages(caseId)[0]!.links.find(({ text }) => text === 'Acknowledge')?.href ?? '';
    return { caseId, url: href };
  };
  const ask = async (url: string, method: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { method, headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  /** Sends the form of the page as a browser does. */
  const press = (url: string, origin = new URL(url).origin) =>
    ask(url, 'POST', {
      origin,
      'content-type': 'multipart/form-data; boundary=x',
      'sec-fetch-site': 'same-origin',
    });

  beforeAll(async () => {
    receiver = await pagerReceiver();
    world = await inThisProcess({
      settings: {
        destinations: {
          oncall: {
            type: 'pagerduty',
            url: `${receiver.url}/pager`,
            secret: '${PAGER_KEY}',
            allowPrivate: true,
            acknowledgeLink: true,
          },
          chat: { type: 'slack', url: `${receiver.url}/chat`, allowPrivate: true, acknowledgeLink: true },
          plain: { type: 'slack', url: `${receiver.url}/plain`, allowPrivate: true },
        },
      },
      env: () => ({ LLM_PROVIDER: 'none', PAGER_KEY: 'a-routing-key' }),
    });
    // Every other path now needs a proof.
    const created = await fetch(`${world.service('console').url}/api/v1/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'ann', name: 'ann', role: 'admin' }),
    });
    ({ key } = (await created.json()) as { key: string });
    const cases = `${world.service('console').url}/api/v1/cases`;
    await until('requests need a key', async () => (await ask(cases, 'GET')).status === 401);
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
  });
  const own = (url: string) => `${world.service('console').url}${new URL(url).pathname}`;

  it('shows a page with a button, without text of the alert, and acknowledges nothing when it is opened', async () => {
    const { caseId, url } = await paged('a');
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD'])
      expect(await ask(own(url), method, { 'user-agent': 'Slackbot-LinkExpanding 1.0' })).toMatchObject({
        status: 200,
      });
    const { text, headers } = await ask(own(url), 'GET');
    expect(text).toContain('<button>Acknowledge</button>');
    expect(text).toContain(`Case: ${caseId}`);
    expect(text).toContain('Severity: critical');
    for (const word of [WORDS, 'CheckoutDown', 'checkout', 'instance']) expect(text).not.toContain(word);
    expect(text).not.toMatch(/<script|<a |href|src=|action=/);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(await acts(caseId)).toEqual([]);
    expect(pages(caseId)).toHaveLength(1);
    // The token is on no record: neither in the message nor in a column.
    const token = new URL(url).pathname.split('/').at(-1)!;
    const { deliveries } = await world.store.destinations.list({ caseId, limit: 10 });
    expect(JSON.stringify(deliveries)).not.toContain(token);
    expect(JSON.stringify(await world.store.database.rows('select * from page_links', []))).not.toContain(
      token,
    );
  });

  it('acknowledges once, at the pagers that got the page, and refuses a second use', async () => {
    const { caseId, url } = await paged('b');
    const done = await press(own(url));
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('The page is acknowledged')]);
    await until('the pager gets it', () => pages(caseId).length === 2);
    expect(pages(caseId)[1]).toMatchObject({ event_action: 'acknowledge' });
    expect(await acts(caseId)).toEqual([{ by: 'link of oncall' }]);
    for (const again of [await press(own(url)), await ask(own(url), 'GET')])
      expect([again.status, again.text]).toEqual([410, expect.stringContaining('A link can be used once.')]);
    expect(await acts(caseId)).toHaveLength(1);
  });

  it('is refused to pages of other sites, and only its own address takes the form', async () => {
    const { caseId, url } = await paged('c');
    expect((await press(own(url), 'https://evil.example')).status).toBe(403);
    expect((await press(own(`${url}?to=https://evil.example`))).headers.get('location')).toBeNull();
    expect(await acts(caseId)).toHaveLength(1);
  });

  it('is refused when it is forged', async () => {
    const { caseId, url } = await paged('d');
    const forged = own(url).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const wrong of [forged, `${own(url)}x`, own(url).slice(0, -1)]) {
      const { status, text } = await press(wrong);
      expect([status, text]).toEqual([404, expect.stringContaining('This link is not valid')]);
    }
    expect(await acts(caseId)).toEqual([]);
    expect((await press(own(url))).status).toBe(200);
  });

  it('belongs to one delivery: that of another destination is another link of the same case', async () => {
    const { caseId, url } = await paged('e');
    const chats = () =>
      receiver.received.filter(({ path, text }) => path === '/chat' && text.includes(caseId));
    await until('the chat has it', () => chats().length === 1);
    const [, other = ''] = /"(http[^"]+\/acknowledge\/[A-Za-z0-9_-]{43})"/.exec(chats()[0]!.text) ?? [];
    expect(other).not.toBe('');
    expect(new URL(other).pathname).not.toBe(new URL(url).pathname);
    const plain = receiver.received.filter(({ path }) => path === '/plain');
    expect(plain.length).toBeGreaterThan(0);
    for (const { text } of plain) expect(text).not.toContain('/acknowledge/');
    expect((await press(own(url))).status).toBe(200);
    expect((await press(own(other))).status).toBe(200);
    expect(await acts(caseId)).toEqual([{ by: 'link of oncall' }, { by: 'link of chat' }]);
    // The pager is notified once.
    expect(pages(caseId).filter(({ event_action }) => event_action === 'acknowledge').length).toBeLessThan(2);
  });

  it.each([
    ['after an hour', `update page_links set expires_at = now() where case_id = $1`, 'has expired'],
    [
      'when a person has answered',
      `insert into reviews (case_id, run_id, state, changed_at) select id, leading_run_id, 'answered', now() from cases where id = $1
       on conflict (case_id) do update set state = 'answered'`,
      'has answered this case already',
    ],
    [
      'after an erasure',
      `insert into case_erasures (id, case_id, classes, "by", reason) values (gen_random_uuid(), $1, '{message}', 'ann', 'x')`,
      'was erased',
    ],
  ])('is refused %s', async (instance, statement, sentence) => {
    const { caseId, url } = await paged(instance);
    await world.store.database.rows(statement, [caseId]);
    for (const refused of [await ask(own(url), 'GET'), await press(own(url))])
      expect([refused.status, refused.text]).toEqual([410, expect.stringContaining(sentence)]);
    expect(await acts(caseId)).toEqual([]);
  });

  it('is used once by two people who press at the same time', async () => {
    const { caseId, url } = await paged('f');
    const statuses = await Promise.all([press(own(url)), press(own(url)), press(own(url))]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    expect(await acts(caseId)).toHaveLength(1);
  });

  it('takes no method but GET, HEAD and POST', async () => {
    const { url } = await paged('g');
    const status = await new Promise((resolve) => {
      send(own(url), { method: 'DELETE' }, (response) => resolve(response.resume().statusCode)).end();
    });
    expect(status).toBe(405);
  });

  it('is not tried again and again: after 30 links that do not exist, an address waits', async () => {
    const { caseId, url } = await paged('h');
    const forged = own(url).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (let n = 0; n < 30; n += 1) await ask(forged, 'GET');
    const { status, text } = await press(own(url));
    expect([status, text]).toEqual([429, expect.stringContaining('Try again in a minute')]);
    expect(await acts(caseId)).toEqual([]);
  });
});
