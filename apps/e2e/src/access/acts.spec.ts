import { consoleWith } from '@casefile/console/console';
import { until } from '@casefile/contracts/testing';
import { createKey, startService, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { olderTransactionsOver } from '@casefile/store/testing';
import { realWorld, type World } from '../testing/world.js';

let world: World;
let service: RunningService;
let store: PostgresStore;
/** The key of requests; null: none. */
let key: string | null = null;

beforeAll(async () => {
  world = await realWorld('inline', null);
  store = world.platform.store as PostgresStore;
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
});
afterAll(async () => {
  await service.close();
  await world.close();
});

async function post(path: string, body: object = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!path.startsWith('/queues') && !response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** Returns the acts since `first`, with who acted and how that was proven. */
const actsSince = (first: number): Promise<{ type: string; by: string | null; proof: string | null }[]> =>
  store.database.rows(
    `select type, data ->> 'by' as by, data ->> 'proof' as proof from events
     where id > $1 and (data ->> 'by' is not null or type ~ '^operator[.]|^batch[.](created|applied|discarded|paused)')
     order by id`,
    [first],
  );
const lastEvent = async (): Promise<number> => {
  const [row] = await store.database.rows<{ id: number }>('select max(id)::int as id from events');
  return row?.id ?? 0;
};

/** Acts by one request each, as operators do, on a fresh case. None of these requests has to state a name. */
async function actOnEverything(): Promise<void> {
  const bury = async () => {
    const id = world.platform.ids.id();
    await store.deadLetters.bury({ id, reasonCode: 'invalid_input', message: 'no text', payload: {} });
    return id;
  };
  const caseIds: string[] = [];
  for (const text of ['Pay the fee', 'Pay the fine']) {
    const { caseId } = await world.accept({ playbook: 'scam-verdict', text, collect: false });
    await world.ended(caseId);
    caseIds.push(caseId);
  }
  await store.providers.failed({
    provider: 'simulator',
    reasonCode: 'server_error',
    openAfter: 1,
    openMs: 60_000,
    maxOpenMs: 60_000,
  });
  const api = '/api/v1';
  await post(`${api}/dead-letters/drop`, { ids: [await bury()] });
  await post(`${api}/dead-letters/${await bury()}/redrive`, {
    alert: { playbook: 'scam-verdict', text: 'Pay the other fee', collect: false },
  });
  await post(`${api}/providers/simulator/try`);
  await post(`${api}/cases/${caseIds[0]}/runs`, { lane: 'replay' });
  // The second case starts so much later that the batch is not done before it is paused.
  const { batchId } = await post(`${api}/batches`, { caseIds, lane: 'replay', ratePerSecond: 0.01 });
  await post(`${api}/batches/${String(batchId)}/pause`);
  await post(`${api}/batches/${String(batchId)}/discard`);
  await post('/queues/api/queues/none/pause');
}

const NAMELESS = [
  'operator.dropped',
  'operator.redrove',
  'operator.tried-provider',
  'batch.created',
  'batch.paused',
  'batch.discarded',
  'operator.queue-board',
];

describe('S2-21 who acted', () => {
  it('is not known without keys, and a typed name is marked', async () => {
    const first = await lastEvent();
    await actOnEverything();
    const acts = await actsSince(first);
    expect(acts.map(({ type }) => type)).toEqual(expect.arrayContaining(NAMELESS));
    expect(acts.filter(({ by, proof }) => by !== null && proof !== 'unverified')).toEqual([]);
    expect(acts.filter(({ proof }) => proof !== null && proof !== 'unverified')).toEqual([]);
  });

  it('is the owner of the key on every act, also where the request states no name', async () => {
    const ports = { keys: store.keys, now: () => world.platform.clock.now() };
    const made = { name: 'ann', role: 'admin' as const, reason: '', by: 'test' };
    ({ key } = await createKey(ports, made, { actId: 'ann', by: 'ann', reason: '' }));
    await until('a key is required', async () => (await fetch(`${service.url}/api/v1/me`)).status === 401);
    const first = await lastEvent();
    await actOnEverything();
    const acts = await actsSince(first);
    expect(acts.map(({ type }) => type)).toEqual(expect.arrayContaining(NAMELESS));
    expect(acts.filter(({ by, proof }) => by !== 'ann' || proof !== 'key')).toEqual([]);
    // An event is read when every older transaction has ended, also those of other tests on this server.
    await olderTransactionsOver(String(store.database.pool.options.connectionString));
    for (let read = 1; read > 0;) read = await store.audit.append(1_000);
    const entries = await store.audit.list({ order: 'newest', limit: acts.length });
    expect([...new Set(entries.map(({ actor }) => actor))]).toEqual(['ann']);
    expect((await store.audit.check(null)).problems).toBe(0);
  });

  it('is nobody for work of the services that the act causes', async () => {
    const [{ n } = { n: -1 }] = await store.database.rows<{ n: number }>(
      `select count(*)::int as n from events where type ~ '^stage[.]' and data ->> 'proof' is not null`,
    );
    expect(n).toBe(0);
  });
});
