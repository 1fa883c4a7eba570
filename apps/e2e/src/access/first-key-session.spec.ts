import { consoleWith } from '@casefile/console/console';
import { until } from '@casefile/contracts/testing';
import { startService, type RunningService } from '@casefile/runtime';
import { realWorld, type World } from '../testing/world.js';

let world: World;
let service: RunningService;

beforeEach(async () => {
  world = await realWorld('inline', null);
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
});
afterEach(async () => {
  await service.close();
  await world.close();
});

const ownPage = () => ({ 'sec-fetch-site': 'same-origin', origin: service.url });
const create = async (rights: object, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}/api/v1/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'ann', by: 'console', ...rights }),
  });
  const [cookie = null] = response.headers.getSetCookie().map((header) => header.split(';')[0]!);
  return { status: response.status, cookie, body: (await response.json()) as Record<string, unknown> };
};
const sessions = () => world.platform.store.sessions.list();
const keyIsRequired = () =>
  until('a key is required', async () => (await fetch(`${service.url}/api/v1/me`)).status === 401);

describe('S2-21 the first key that a page of the console creates', () => {
  it('signs its creator in with the same answer', async () => {
    const { status, cookie, body } = await create({ role: 'admin' }, ownPage());
    expect([status, body['key']]).toEqual([201, expect.stringMatching(/^cf_/)]);
    expect(await sessions()).toMatchObject([
      { source: 'key', subject: body['id'], name: 'ann', role: 'admin' },
    ]);
    await keyIsRequired();
    const me = await fetch(`${service.url}/api/v1/me`, { headers: { ...ownPage(), cookie: cookie! } });
    expect(await me.json()).toEqual({ name: 'ann', proof: 'session', role: 'admin' });
    // A further key signs nobody in: its creator has a session already.
    const further = await create({ name: 'ben', role: 'admin' }, { ...ownPage(), cookie: cookie! });
    expect([further.status, further.cookie]).toEqual([201, null]);
  });

  it.each([{ role: 'viewer' }, { role: 'operator' }, { scopes: ['intake'] }, { scopes: ['metrics'] }])(
    'is refused without a lock-out if it is not of an administrator: %j',
    async (rights) => {
      const { status, cookie, body } = await create(rights, ownPage());
      const errors = [{ path: 'role', message: expect.stringContaining('expected admin for the first key') }];
      expect([status, cookie]).toEqual([400, null]);
      expect(body).toMatchObject({ errors });
      expect(await world.platform.store.keys.any()).toBe(false);
    },
  );

  it('opens no session for a program, and is refused to a page of another site', async () => {
    const foreign = await create(
      { role: 'admin' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    );
    expect([foreign.status, foreign.cookie, await world.platform.store.keys.any()]).toEqual([
      403,
      null,
      false,
    ]);
    const { status, cookie } = await create({ role: 'admin' });
    expect([status, cookie, await sessions()]).toEqual([201, null, []]);
  });
});
