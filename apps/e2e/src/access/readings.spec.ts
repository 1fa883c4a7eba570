import { consoleWith } from '@casefile/console/console';
import { createKey, startService, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { WebSocket } from 'ws';
import { realWorld, type World } from '../testing/world.js';

let world: World;
let service: RunningService;
const keys = new Map<string, string>();

beforeAll(async () => {
  world = await realWorld('inline', null);
  const { store, clock } = world.platform;
  // The first key is of an administrator.
  for (const role of ['admin', 'viewer', 'operator'] as const) {
    const keyRequest = { name: role, role, reason: '', by: 'test' };
    const ports = { keys: store.keys, now: () => clock.now() };
    keys.set(role, (await createKey(ports, keyRequest, { actId: role, by: 'test', reason: '' })).key);
  }
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
});
afterAll(async () => {
  await service.close();
  await world.close();
});

const headersOf = (name: string) => ({ authorization: `Bearer ${keys.get(name)}` });
const read = async (name: string, path: string, init: RequestInit = {}): Promise<void> => {
  const headers = { 'content-type': 'application/json', ...headersOf(name) };
  await (await fetch(`${service.url}${path}`, { ...init, headers })).arrayBuffer();
};
const listen = (name: string) =>
  new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/ws`, { headers: headersOf(name) });
    socket.once('open', () => (socket.close(), resolve()));
    socket.once('error', reject);
  });
/** Returns the readings on the record: who read which address, and of which case. */
const readings = (): Promise<{ by: string; path: string; case: string | null }[]> =>
  (world.platform.store as PostgresStore).database.rows(
    `select data ->> 'by' as by, data ->> 'path' as path, data ->> 'caseId' as "case" from events
     where type = 'record.read' order by xid, id`,
  );

const CASE = '0190a000-0000-7000-8000-000000000001';

it('S2-21 logs who reads jobs on the queue board, events over a WebSocket, and rendered prompts', async () => {
  const render = { method: 'POST', body: JSON.stringify({ text: 'x', caseId: CASE }) };
  for (const path of ['/queues', '/queues/queue/alerts', '/queues/static/main.js'])
    await read('operator', path);
  expect(await readings()).toEqual([]);
  for (let i = 0; i < 2; i += 1) {
    await read('operator', '/queues/api/queues?activeQueue=alerts');
    await read('operator', '/queues/api/queues/alerts/1');
    await read('operator', '/api/v1/prompts/scam-verdict/single-shot/render', render);
    await listen('operator');
  }
  expect(await readings()).toEqual([
    { by: 'operator', path: '/queues/api/queues', case: null },
    { by: 'operator', path: '/queues/api/queues/alerts/1', case: null },
    { by: 'operator', path: '/prompts/scam-verdict/single-shot/render', case: CASE },
    { by: 'operator', path: '/ws', case: null },
  ]);
});

it('S2-21 logs no reading of a viewer, who receives events without content and no queue board', async () => {
  const before = await readings();
  await listen('viewer');
  await read('viewer', '/queues/api/queues');
  expect(await readings()).toEqual(before);
});
