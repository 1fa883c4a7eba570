import { consoleWith } from '@casefile/console/console';
import { routes } from '@casefile/console/routes/index';
import { until } from '@casefile/contracts/testing';
import { createKey, startService, type Platform, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { holdsExample } from '../testing/api-examples.js';
import { allowWrites } from '../testing/allow-writes.js';
import { realWorld, type World } from '../testing/world.js';
import { judgeCase, type ActFacts, type ActRequest } from './act-request.js';
import { ACT_REQUESTS, NOT_REQUESTED } from './act-requests.js';

let world: World;
let service: RunningService;
let store: PostgresStore;
const keys = new Map<string, string>();

beforeAll(async () => {
  world = await realWorld('inline', null, { PAGER_KEY: 'pager' });
  const { platform } = world;
  store = platform.store as PostgresStore;
  platform.config.settings.delivery.addedAllowPrivate = true;
  for (const name of ['ann', 'helper']) {
    const keyRequest = { name, role: 'admin' as const, reason: '', by: 'test' };
    const ports = { keys: store.keys, now: () => platform.clock.now() };
    keys.set(name, (await createKey(ports, keyRequest, { actId: name, by: 'test', reason: '' })).key);
  }
  const latest = () => {
    const found = platform.installation.latest();
    return found === null ? null : { ...found, toolServers: [{ name: 'docs', allow: ['read'], pins: {} }] };
  };
  const installed = { ...platform, installation: { ...platform.installation, latest } };
  service = await startService(consoleWith({ dashboard: '/nowhere' }), installed as unknown as Platform);
}, 300_000);
afterAll(async () => {
  await service.close();
  await world.close();
});

type Sent = ActRequest & { method?: string };

/** All routes write in the same way, so one of each group shows how they are refused. */
const firstOfEachTag = <T extends { tag: string }>(all: readonly T[]): T[] => [
  ...new Map(all.toReversed().map((one) => [one.tag, one])).values(),
];

function answerTo(name: string, path: string, { body, form, method = 'POST' }: Sent): Promise<Response> {
  const headers = {
    authorization: `Bearer ${keys.get(name)}`,
    ...(form === undefined ? { 'content-type': 'application/json' } : {}),
  };
  const sent = method === 'GET' ? {} : { body: form ?? JSON.stringify(body ?? {}) };
  return fetch(`${service.url}/api/v1${path}`, { method, headers, ...sent });
}

async function send(name: string, path: string, sent: Sent) {
  const response = await answerTo(name, path, sent);
  const { method = 'POST' } = sent;
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

const posts = routes.filter(({ method }) => method === 'post');
const filled = (path: string, params: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));

const actFacts = (): ActFacts => ({
  world,
  store,
  prepare: (path, body = {}) => send('helper', path, { body }),
  act: (path, body) => send('ann', path, { body }),
  read: (path) => send('helper', path, { method: 'GET' }),
});

interface LoggedEvent {
  type: string;
  by: string | null;
  proof: string | null;
  sender: string | null;
  place: string;
}
const eventsSince = (first: number): Promise<LoggedEvent[]> =>
  store.database.rows(
    `select type, coalesce(data ->> 'caller', data ->> 'by') as by, data ->> 'proof' as proof, data ->> 'sender' as sender, xid || '.' || id as place
     from events where id > $1 order by id`,
    [first],
  );
const lastEvent = async (): Promise<number> =>
  (await store.database.rows<{ id: number }>('select max(id)::int as id from events'))[0]?.id ?? 0;

describe('S2-21 every POST route of the console', () => {
  it('has an entry in the table of acts', () => {
    const known = [...Object.keys(ACT_REQUESTS), ...Object.keys(NOT_REQUESTED)].sort();
    expect(known).toEqual(posts.map(({ operationId }) => operationId).sort());
    // A route that declares no act is logged as a reading, or its answer holds nothing to log.
    const declared = Object.entries(ACT_REQUESTS).filter(([, { loggedAs }]) =>
      ['reading', 'nothing'].includes(loggedAs ?? 'act'),
    );
    const readings = posts.filter(({ isReading }) => isReading).map(({ operationId }) => operationId);
    const requested = readings.filter((operation) => !(operation in NOT_REQUESTED));
    expect(declared.map(([operation]) => operation).sort()).toEqual(requested.sort());
  });

  const requested = posts.filter(({ operationId }) => operationId in ACT_REQUESTS);
  it.each(requested)(
    '$operationId answers as its example, and is on the audit log under the name of the key',
    async (route) => {
      const { request, loggedAs = 'act' } = ACT_REQUESTS[route.operationId]!;
      const actRequest = await request(actFacts());
      const first = await lastEvent();
      const answer = await send('ann', filled(route.path, actRequest.params), actRequest);
      holdsExample(route.operationId, { body: actRequest.body, answer });
      const events = await eventsSince(first);
      if (loggedAs === 'sender')
        return expect(events.filter(({ type }) => type === 'alert.accepted')).toMatchObject([
          { sender: 'ann' },
        ]);
      const own = events.filter(({ by, proof }) => by === 'ann' && proof === 'key');
      if (loggedAs === 'nothing') return expect(own).toEqual([]);
      expect(own.map(({ type }) => type === 'record.read')).toContain(loggedAs === 'reading');
      // No name that the request states is on the record.
      expect(events.filter(({ by }) => by === 'typed' || by === 'console')).toEqual([]);
      await until('the log has the entries', async () => {
        await store.audit.append(1_000);
        const entries = await store.audit.list({ order: 'newest', limit: 50, actor: 'ann' });
        const places = entries.map(({ eventId }) => eventId);
        return own.every(({ place }) => places.includes(place));
      });
    },
  );

  it('names the key of a report of another system, whatever name the report states', async () => {
    const made = { name: 'tickets', scopes: ['feedback' as const], reason: '', by: 'test' };
    const ports = { keys: store.keys, now: () => world.platform.clock.now() };
    const { key } = await createKey(ports, made, { actId: 'tickets', by: 'test', reason: '' });
    const { caseId } = await world.accept({ playbook: 'scam-verdict', text: 'Pay the toll', collect: false });
    await world.ended(caseId);
    const first = await lastEvent();
    const answer = await fetch(`${world.ingestUrl}/v1/feedback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ caseId, event: 'appeal', outcome: { riskLevel: 'low' }, by: 'ann' }),
    });
    expect([answer.status, await answer.text()]).toEqual([202, expect.stringContaining(caseId)]);
    const named = (await eventsSince(first)).filter(({ by }) => by !== null);
    expect(new Set(named.map(({ by, proof }) => `${by} ${proof}`))).toEqual(new Set(['tickets key']));
  });

  it('E-08 answers 503 with the cause while the database takes no writes (one of each tag), and works on afterwards', async () => {
    const { databaseUrl } = world.platform.config;
    const { caseId } = await judgeCase(actFacts());
    const requests: { name: string; path: string; sent: Sent }[] = [
      { name: 'a case, whose reading is logged', path: `/cases/${caseId}`, sent: { method: 'GET' } },
    ];
    for (const { operationId, path } of firstOfEachTag(requested)) {
      const { request, loggedAs } = ACT_REQUESTS[operationId]!;
      if (loggedAs === 'nothing') continue;
      const sent = await request(actFacts());
      requests.push({ name: operationId, path: filled(path, sent.params), sent });
    }
    const answers = async () => {
      const found: object[] = [];
      for (const { name, path, sent } of requests) {
        const response = await answerTo('ann', path, sent);
        const { reasonCode, detail } = (await response.json()) as { reasonCode?: string; detail?: string };
        const retryAfter = response.headers.get('retry-after');
        found.push({ name, status: response.status, reasonCode, detail, retryAfter });
      }
      return found;
    };
    const intake = () =>
      fetch(`${world.ingestUrl}/v1/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.get('ann')}` },
        body: JSON.stringify({ playbook: 'scam-verdict', text: 'Pay the rent', collect: false }),
      });
    try {
      await allowWrites(databaseUrl!, false);
      const detail = expect.stringMatching(/^The database takes no writes: .*read-only transaction/);
      const refused = { status: 503, reasonCode: 'store_unreachable', detail, retryAfter: '5' };
      // The first answers may be about the connections that were ended.
      await until('intake names the cause', async () =>
        (await (await intake()).text()).includes('no writes'),
      );
      expect((await intake()).status).toBe(503);
      expect(await answers()).toEqual(requests.map(({ name }) => ({ name, ...refused })));
    } finally {
      await allowWrites(databaseUrl!, true, { ends: false });
    }
    await until('intake accepts', async () => (await intake()).status === 202);
    // A connection that was not used for a write since is closed by its first one.
    const statuses = new Map<string, number>();
    for (const { name, path, sent } of requests)
      await until(`${name} is answered`, async () => {
        const { status } = await answerTo('ann', path, sent);
        statuses.set(name, status);
        return status !== 503;
      });
    // Some of these acts exclude each other.
    expect([...statuses].filter(([, status]) => status >= 300 && status !== 409)).toEqual([]);
  });
});
