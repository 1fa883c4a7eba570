import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CasefileError, silentLogger, type Role, type SessionPerson } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { AttemptLimit, CheckedCallers } from '@casefile/runtime';
import express from 'express';
import { SessionAuthenticator } from './session-authenticator.js';
import { signInRouter } from './sign-in-router.js';
import { tokenHash } from './session-tokens.js';

const TOKEN = 'A'.repeat(43);
const ANN: SessionPerson = { id: 's', source: 'key', subject: 'k', name: 'ann', role: 'viewer', groups: [] };
const gone = () => new CasefileError('store_unreachable', 'gone', { retryable: true });

const request = (token: string | null, headers: Record<string, string> = {}) =>
  ({
    method: 'GET',
    headers: { host: 'localhost', ...(token !== null && { cookie: `cf=${token}` }), ...headers },
  }) as unknown as IncomingMessage;

function sessions() {
  const clock = manualClock();
  const checked = new CheckedCallers(clock);
  const record = { isGone: false, person: ANN as SessionPerson | null, role: 'viewer' as Role | null };
  const answer = async <T>(value: T): Promise<T> => {
    if (record.isGone) throw gone();
    return value;
  };
  let queries = 0;
  const authenticator = new SessionAuthenticator({
    sessions: {
      find: (hash) => {
        queries += 1;
        return answer(hash === tokenHash(TOKEN) ? record.person : null);
      },
    },
    settings: null,
    roleOfKey: () => answer(record.role),
    checked,
  });
  const recall = (token: string | null = TOKEN) => authenticator.recall(request(token));
  return { clock, checked, record, authenticator, recall, answer, finds: () => queries };
}

describe('T-20 a session while the database is unavailable', () => {
  it('is recalled for five minutes after its last check, with the role of then', async () => {
    const { clock, record, authenticator, recall } = sessions();
    expect(recall()).toBeNull();
    await authenticator.authenticate(request(TOKEN));
    record.role = 'operator';
    clock.advance(1_000);
    await authenticator.authenticate(request(TOKEN));
    record.isGone = true;
    await expect(authenticator.authenticate(request(TOKEN))).rejects.toThrow('gone');
    clock.advance(299_999);
    expect(recall()).toEqual({ name: 'ann', proof: 'session', role: 'operator', scopes: [] });
    expect([recall('B'.repeat(43)), recall(null)]).toEqual([null, null]);
    clock.advance(1);
    expect(recall()).toBeNull();
  });

  it('is queried once for requests that arrive together, and again for the next one', async () => {
    const { authenticator, record, finds } = sessions();
    const callers = await Promise.all(
      Array.from({ length: 100 }, () => authenticator.authenticate(request(TOKEN))),
    );
    expect(new Set(callers.map((caller) => caller?.name))).toEqual(new Set(['ann']));
    expect(finds()).toBe(1);
    record.person = null;
    expect(await authenticator.authenticate(request(TOKEN))).toBeNull();
    expect(finds()).toBe(2);
    const foreign = request(TOKEN, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' });
    record.person = ANN;
    const [own, other] = await Promise.allSettled([
      authenticator.authenticate(request(TOKEN)),
      authenticator.authenticate(foreign),
    ]);
    expect([own.status, other.status]).toEqual(['fulfilled', 'rejected']);
  });

  it('is not recalled for a page of another site', async () => {
    const { authenticator } = sessions();
    await authenticator.authenticate(request(TOKEN));
    const foreign = request(TOKEN, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' });
    expect(() => authenticator.recall(foreign)).toThrow('pages of this console alone');
  });

  it.each(['the session ended', 'its key lost its role'])('is not recalled after %s', async (why) => {
    const { record, authenticator, recall } = sessions();
    await authenticator.authenticate(request(TOKEN));
    if (why === 'the session ended') record.person = null;
    else record.role = null;
    expect(await authenticator.authenticate(request(TOKEN))).toBeNull();
    expect(recall()).toBeNull();
  });

  it.each([
    ['a sign-out', '/sign-out', false, 200],
    ['a sign-out that the database could not record', '/sign-out', true, 503],
    ['a sign-in with another key', '/key', false, 201],
  ])('is not recalled after %s', async (_what, path, isGone, status) => {
    const { clock, checked, record, authenticator, recall, answer } = sessions();
    await authenticator.authenticate(request(TOKEN));
    const stated = new CasefileError('store_unreachable', 'The database is out. Start it.');
    const router = signInRouter({
      oidc: null,
      sessions: { end: () => answer(true), open: () => answer({} as never), finish: () => answer(true) },
      checked,
      outage: () => stated,
      currentPerson: (one) => authenticator.person(one),
      personOfKey: () => answer({ ...ANN, name: 'bob' }),
      isRequired: async () => true,
      attempts: new AttemptLimit(10, clock),
      clock,
      log: silentLogger,
    });
    const server = createServer(express().use(express.json(), router)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      record.isGone = isGone;
      expect(recall()).not.toBeNull();
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const headers = { origin: url, cookie: `cf=${TOKEN}`, 'content-type': 'application/json' };
      const response = await fetch(url + path, { method: 'POST', headers, body: '{"key":"cf_x"}' });
      const body = (await response.json()) as { detail?: string };
      expect([response.status, body.detail]).toEqual([status, isGone ? stated.message : undefined]);
      expect(recall()).toBeNull();
    } finally {
      await once(server.close(), 'close');
    }
  });
});
