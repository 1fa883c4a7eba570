import { consoleWithIssuer, type ConsoleWithIssuer } from '../testing/console-with-issuer.js';
import { attack, ATTACKS, honest, statusOf, victimOf, type Victim } from './hostile-requests.js';

describe('hostile requests', () => {
  let world: ConsoleWithIssuer;
  let victim: Victim;
  let host: string;
  beforeAll(async () => {
    world = await consoleWithIssuer();
    victim = await victimOf(world.platform);
    host = new URL(world.url).host;
  });
  afterAll(() => world.close());

  it('are 300 of seven kinds, of which none is accepted', async () => {
    const { sent, accepted } = await attack(world, victim, { seed: 40, count: 300 });
    expect(accepted).toEqual([]);
    for (const name of ATTACKS) expect(sent[name]).toBeGreaterThan(40);
  });

  it('differ from requests of the console itself, which are accepted', async () => {
    const origin = { origin: `http://${host}` };
    const json = { 'content-type': 'application/json' };
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    };
    const posting = { method: 'POST', path: '/api/v1/flags/any' } as const;
    const statuses = await Promise.all(
      [
        honest(victim, host),
        honest(victim, host, { headers: { authorization: `Bearer ${victim.key}`, cookie: '' } }),
        honest(victim, host, { ...posting, headers: { ...json, ...origin } }),
        honest(victim, host, { ...posting, headers: { ...json, 'sec-fetch-site': 'same-origin' } }),
        honest(victim, host, { path: '/ws', headers: { ...upgrade, ...origin } }),
        honest(victim, host, { path: '/api/v1/events', headers: { 'sec-fetch-site': 'same-origin' } }),
      ].map((request) => statusOf(world.url, request)),
    );
    // 400: the body of the act is empty, which the guard does not judge.
    expect(statuses).toEqual([200, 200, 400, 400, 101, 200]);
  });

  it('signs a person in with a personal key, until the key is revoked', async () => {
    const post = (key: string) =>
      fetch(`${world.url}/auth/key`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
      });
    const answer = await post(victim.key);
    expect([answer.status, await answer.json()]).toEqual([201, { name: 'victim', role: 'admin' }]);
    const [, cookie = ''] = /^(cf=[\w-]{43});/.exec(answer.headers.getSetCookie()[0] ?? '') ?? [];
    const read = async () => (await fetch(`${world.url}/api/v1/sessions`, { headers: { cookie } })).status;
    expect(await read()).toBe(200);
    expect((await post(`${victim.key.slice(0, -1)}!`)).status).toBe(401);
    const [, id = ''] = victim.key.split('_');
    await world.platform.store.keys.revoke(id, { actId: 'end', by: 'test', reason: '' });
    expect(await read()).toBe(401);
  });
});

describe('attempts of one address', () => {
  let world: ConsoleWithIssuer;
  beforeAll(async () => {
    world = await consoleWithIssuer({ attemptsPerMinute: 5 });
  });
  afterAll(() => world.close());

  it('are limited per minute: sign-ins, and keys that are wrong', async () => {
    const statusesOf = async (path: string, init: RequestInit = {}) => {
      const statuses: number[] = [];
      for (let i = 0; i < 7; i += 1)
        statuses.push((await fetch(`${world.url}${path}`, { ...init, redirect: 'manual' })).status);
      return statuses;
    };
    expect(await statusesOf('/auth/sign-in')).toEqual([303, 303, 303, 303, 303, 429, 429]);
    const { key } = await victimOf(world.platform);
    const valid = { authorization: `Bearer ${key}` };
    expect((await fetch(`${world.url}/api/v1/cases`, { headers: valid })).status).toBe(200);
    const headers = { authorization: `Bearer cf_${'a'.repeat(8)}_${'b'.repeat(43)}_000000` };
    expect(await statusesOf('/api/v1/cases', { headers })).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await fetch(`${world.url}/api/v1/cases`, { headers: valid })).status).toBe(200);
  });
});
