import { consoleEntries } from '@casefile/console/access-entries';
import { consoleWith } from '@casefile/console/console';
import { routes } from '@casefile/console/routes/index';
import { mayUse, ROLES, SCOPES, type Caller, type CreateKey, type Right } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { ingest } from '@casefile/ingest/ingest';
import { intakeEntries } from '@casefile/ingest/access-entries';
import { createKey, SHARED_ENTRIES, startService, type RunningService } from '@casefile/runtime';
import { WebSocket } from 'ws';
import { settledEvents } from '../testing/settled-events.js';
import { realWorld, type World } from '../testing/world.js';

let world: World;
let services: Record<'console' | 'ingest', RunningService>;
const keys = new Map<string, string>();
const callers = new Map<string, Pick<Caller, 'role' | 'scopes'>>();

beforeAll(async () => {
  world = await realWorld('inline', null);
  // The walk sends more wrong keys than one address may send in a minute.
  world.platform.config.settings.access.attemptsPerMinute = 10_000;
  services = {
    console: await startService(consoleWith({ dashboard: '/nowhere' }), world.platform),
    ingest: await startService(ingest, world.platform),
  };
  await addKey('admin', { role: 'admin' });
  for (const role of ROLES.filter((one) => one !== 'admin')) await addKey(role, { role });
  for (const scope of SCOPES) await addKey(scope, { scopes: [scope] });
});
afterAll(async () => {
  for (const service of Object.values(services)) await service.close();
  await world.close();
});

async function addKey(name: string, rights: Partial<CreateKey>): Promise<string> {
  const { store, clock } = world.platform;
  const body = { name, reason: '', by: 'test', ...rights };
  const ports = { keys: store.keys, now: () => clock.now() };
  const { key, role, scopes } = await createKey(ports, body, { actId: name, by: 'test', reason: '' });
  keys.set(name, key);
  callers.set(name, { role, scopes });
  return key;
}

type Service = 'console' | 'ingest';
const fetchAs = (service: Service, name: string | null, path: string, init: RequestInit = {}) => {
  const headers = new Headers(init.headers);
  if (name !== null) headers.set('authorization', `Bearer ${keys.get(name) ?? name}`);
  return fetch(`${services[service].url}${path}`, { ...init, headers, redirect: 'manual' });
};
const statusAs = async (...args: Parameters<typeof fetchAs>) => {
  const response = await fetchAs(...args);
  await response.body?.cancel();
  return response.status;
};

/** Returns the status of an answer, and whether the guard refused the request. */
async function outcomeAs(...args: Parameters<typeof fetchAs>) {
  const response = await fetchAs(...args);
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem') === true;
  const { reasonCode = '' } = isProblem ? ((await response.json()) as { reasonCode?: string }) : {};
  if (!isProblem) await response.body?.cancel();
  return { status: response.status, refused: ['unauthenticated', 'forbidden'].includes(reasonCode) };
}

/** Returns what the table expects of a caller: to be let in or refused with a status. */
function expected(name: string | null, right: Right): 401 | 403 | 'in' {
  if (right === 'open') return 'in';
  const caller = name === null ? undefined : callers.get(name);
  if (caller === undefined) return 401;
  return mayUse({ name: '', proof: 'key', ...caller }, right) ? 'in' : 403;
}

const filled = (path: string) => path.replace('/**', '').replaceAll(/\{\w+\}/g, 'x');

describe('S2-21 every route with every role and scope', () => {
  it('answers as the table states', async () => {
    const tables = [
      { service: 'console', entries: [...SHARED_ENTRIES, ...consoleEntries(routes)] },
      { service: 'ingest', entries: [...SHARED_ENTRIES, ...intakeEntries(world.platform.config)] },
    ] as const;
    const differences: string[] = [];
    let asked = 0;
    for (const { service, entries } of tables)
      for (const { method, path, right } of entries)
        for (const name of [null, 'cf_wrong', ...keys.keys()]) {
          const init = method === 'post' ? { method: 'POST' } : {};
          const { status, refused } = await outcomeAs(service, name, filled(path), init);
          const found = refused ? status : 'in';
          asked += 1;
          if (found !== expected(name, right))
            differences.push(`${service} ${method} ${path} as ${name}: ${status}`);
        }
    expect(differences).toEqual([]);
    expect(asked).toBeGreaterThan(900);
  });

  it('upgrades a WebSocket of a viewer, and of no program or stranger', async () => {
    const upgraded = (name: string | null) =>
      new Promise<string>((resolve) => {
        const url = services.console.url.replace('http', 'ws');
        const headers = name === null ? {} : { authorization: `Bearer ${keys.get(name)}` };
        const socket = new WebSocket(`${url}/ws`, { headers });
        socket.on('open', () => (socket.close(), resolve('open')));
        socket.on('unexpected-response', (_request, response) => resolve(String(response.statusCode)));
        socket.on('error', () => undefined);
      });
    expect(await upgraded('viewer')).toBe('open');
    expect(await upgraded('intake')).toBe('403');
    expect(await upgraded(null)).toBe('401');
  });

  it('does not reach a path that is mounted without an entry', async () => {
    expect(await statusAs('console', 'admin', '/api/v1/nothing')).toBe(404);
    expect(await statusAs('console', 'admin', '/queues-of-others')).toBe(404);
  });
});

describe('a key', () => {
  const created = async (body: object) => {
    const response = await fetchAs('console', 'admin', '/api/v1/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'someone else', ...body }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const act = (path: string, body: object = {}) =>
    fetchAs('console', 'admin', `/api/v1/keys/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'x', ...body }),
    });

  it('acts under its own name, whatever name is typed, and is on the audit log', async () => {
    const { status, body } = await created({ name: 'named', role: 'viewer' });
    expect([status, body['createdBy']]).toEqual([201, 'admin']);
    expect((await created({ name: 'named', role: 'viewer' })).status).toBe(409);
    const listed = await (await fetchAs('console', 'admin', '/api/v1/keys')).text();
    expect(listed).not.toContain(String(body['key']).slice(12, 50));
  });

  it('is replaced by a rotation, with an overlap or without', async () => {
    const { body } = await created({ name: 'rotated', role: 'viewer' });
    const rotated = await act(`${body['id']}/rotate`, { overlapMinutes: 5 });
    const fresh = (await rotated.json()) as Record<string, string>;
    for (const key of [body['key'], fresh['key']])
      expect(await statusAs('console', String(key), '/api/v1/me')).toBe(200);
    expect((await act(`${body['id']}/rotate`)).status).toBe(409);
    const last = (await (await act(`${fresh['id']}/rotate`, { overlapMinutes: 0 })).json()) as typeof fresh;
    expect(await statusAs('console', String(last['key']), '/api/v1/me')).toBe(200);
    // Another process, whose cache is empty, refuses the replaced key.
    expect(await statusAs('ingest', String(fresh['key']), '/metrics')).toBe(401);
  });

  it('is refused when it is revoked or has expired', async () => {
    const { body } = await created({ name: 'revoked', role: 'viewer' });
    expect((await act(`${body['id']}/revoke`)).status).toBe(200);
    expect(await statusAs('console', String(body['key']), '/api/v1/me')).toBe(401);
    const soon = new Date(Date.now() + 1_000).toISOString();
    const expiring = await created({ name: 'expiring', role: 'viewer', expiresAt: soon });
    await until('the key has expired', () => Date.now() > Date.parse(soon));
    expect(await statusAs('console', String(expiring.body['key']), '/api/v1/me')).toBe(401);
  });

  it('sends the kinds, sources and lanes of its limits alone, and names itself on its alerts', async () => {
    await addKey('gateway', {
      scopes: ['intake'],
      limits: { kinds: ['scam-verdict'], sources: ['mail'], lanes: ['live'] },
    });
    const send = async (alert: object, query = '') => {
      const response = await fetchAs('ingest', 'gateway', `/v1/alerts${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ playbook: 'scam-verdict', source: 'mail', text: 'Pay the fee', ...alert }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const { status, body } = await send({});
    expect(status).toBe(202);
    expect((await send({ playbook: 'research' })).status).toBe(403);
    expect((await send({ source: 'grafana' })).status).toBe(403);
    expect((await send({}, '?lane=batch')).status).toBe(403);
    const accepted = (await settledEvents(world)).filter(({ type }) => type === 'alert.accepted');
    expect(accepted.map(({ caseId, data }) => [caseId, data['sender']])).toEqual([
      [body['caseId'], 'gateway'],
    ]);
  });
});
