import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { CasefileError, silentLogger, type Caller } from '@casefile/contracts';
import express from 'express';
import {
  AccessGuard,
  callerFrom,
  endWhenRefused,
  type Authenticator,
  type GuardParts,
} from './access-guard.js';
import { AccessTable } from './access-table.js';

const viewer: Caller = { name: 'ann', proof: 'key', role: 'viewer', scopes: [] };
const scraper: Caller = { name: 'prometheus', proof: 'key', role: null, scopes: ['metrics'] };

/** Accepts the name of a caller as a proof. */
const byName: Authenticator = {
  authenticate: async ({ headers }) =>
    [viewer, scraper].find(({ name }) => headers.authorization === `Bearer ${name}`) ?? null,
};

const table = new AccessTable([
  { method: 'get', path: '/cases', right: 'viewer', about: '' },
  { method: 'get', path: '/cases/{id}', right: 'viewer', about: '' },
  { method: 'post', path: '/cases/{id}', right: 'operator', about: '' },
  { method: 'get', path: '/metrics', right: { role: 'viewer', scope: 'metrics' }, about: '' },
  { method: '*', path: '/queues/**', right: 'operator', about: '' },
  { method: 'get', path: '/health', right: 'open', about: '' },
  { method: 'get', path: '/conditions', right: 'viewer', about: '', withoutStore: true },
]);

/** Texts of the last refusals. */
const details: string[] = [];
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) await once(server.close(), 'close');
});

/** Serves everything behind the guard, and pages for GET /page. */
async function guarded(isOpen: boolean, parts: Partial<GuardParts> = {}) {
  const pages = express.Router().get('/page', (_request, response) => void response.send('page'));
  const guard = new AccessGuard({
    table,
    authenticators: [{ authenticate: async () => null }, byName],
    isOpen: async () => isOpen,
    log: silentLogger,
    ...parts,
  });
  const app = express().use(guard.handler(pages));
  app.use((request, response) => void response.json(callerFrom(request)));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (method: string, path: string, name?: string) => {
    const headers: Record<string, string> = name === undefined ? {} : { authorization: `Bearer ${name}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
    details.push(detail ?? '');
    return response.status;
  };
}

describe('T-20 the guard while the database is unavailable', () => {
  const gone = new CasefileError('store_unreachable', 'connect ECONNREFUSED', { retryable: true });
  const stated = new CasefileError('store_unreachable', 'The database is out. Start it.', {
    retryable: true,
  });
  /** Knows ann and the scraper from before, and can check nobody. */
  const recalling: Authenticator = {
    authenticate: async (request, isAgain) => {
      if (request.headers.authorization !== undefined) throw gone;
      return byName.authenticate(request, isAgain);
    },
    recall: ({ headers }) =>
      [viewer, scraper].find(({ name }) => headers.authorization === `Bearer ${name}`) ?? null,
  };
  const parts = { authenticators: [recalling], outage: () => stated };

  it.each([
    ['GET', '/conditions', 200, 403, 503, 503],
    ['HEAD', '/CONDITIONS/', 200, 403, 503, 503],
    ['POST', '/conditions', 405, 405, 405, 405],
    ['GET', '/cases', 503, 503, 503, 401],
    ['GET', '/cases/1', 503, 503, 503, 401],
    ['POST', '/cases/1', 503, 503, 503, 401],
    ['GET', '/metrics', 503, 503, 503, 401],
    ['GET', '/queues/api/x', 503, 503, 503, 401],
  ])(
    'answers %s %s with %i to a recalled viewer, %i to a recalled program, %i to others and %i to nobody',
    async (method, path, ...expected) => {
      const ask = await guarded(false, parts);
      details.length = 0;
      const statuses: number[] = [];
      for (const name of ['ann', 'prometheus', 'bob', undefined])
        statuses.push(await ask(method, path, name));
      expect(statuses).toEqual(expected);
      const refusals = details.filter((_, i) => method !== 'HEAD' && statuses[i] === 503);
      expect(new Set([...refusals, stated.message])).toEqual(new Set([stated.message]));
    },
  );

  it('recalls nobody while the database answers', async () => {
    const ask = await guarded(false, { ...parts, authenticators: [{ ...recalling, authenticate: async () => null }], outage: () => null }); // prettier-ignore
    expect(await ask('GET', '/conditions', 'ann')).toBe(401);
  });
});

describe('the guard', () => {
  it.each([
    ['GET', '/cases', 401, 200, 403],
    ['HEAD', '/cases/', 401, 200, 403],
    ['GET', '/CASES/1', 401, 200, 403],
    ['POST', '/cases/1', 401, 403, 403],
    ['GET', '/metrics', 401, 200, 200],
    ['GET', '/queues', 401, 403, 403],
    ['PUT', '/queues/api/x', 401, 403, 403],
    ['GET', '/health', 200, 200, 200],
    ['GET', '/page', 200, 200, 200],
    ['POST', '/page', 404, 404, 404],
    ['GET', '/mounted-without-an-entry', 404, 404, 404],
    ['GET', '/cases//1', 404, 404, 404],
    ['GET', '/cases/%31/more', 404, 404, 404],
    ['DELETE', '/cases/1', 405, 405, 405],
  ])(
    'S2-21 answers %s %s with %i to nobody, %i to a viewer and %i to a program',
    async (method, path, ...expected) => {
      const ask = await guarded(false);
      const statuses = [];
      for (const name of [undefined, 'ann', 'prometheus']) statuses.push(await ask(method, path, name));
      expect(statuses).toEqual(expected);
    },
  );

  it('admits everybody where no proof is required, and still refuses paths without an entry', async () => {
    const ask = await guarded(true);
    expect(await ask('POST', '/cases/1')).toBe(200);
    expect(await ask('GET', '/mounted-without-an-entry')).toBe(404);
  });

  it('gives a request that it did not admit a caller without rights', () => {
    expect(callerFrom({} as never)).toMatchObject({ role: null, scopes: [] });
  });

  it('S2-21 checks the caller of a long answer again, which is no new request, and ends it after a refusal', async () => {
    const checks: boolean[] = [];
    const authenticate = async (_request: IncomingMessage, isAgain: boolean) => {
      checks.push(isAgain);
      if (checks.length > 2) throw new CasefileError('unauthenticated', 'revoked');
      return viewer;
    };
    const guard = new AccessGuard({
      table,
      authenticators: [{ authenticate }],
      isOpen: async () => false,
      log: silentLogger,
    });
    const request = new IncomingMessage(new Socket());
    await guard.admit(request, 'get', '/cases');
    jest.useFakeTimers();
    const end = jest.fn();
    const unwatch = endWhenRefused(request, end);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(end).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(end).toHaveBeenCalledTimes(1);
    expect(checks).toEqual([false, true, true]);
    unwatch();
    jest.useRealTimers();
  });
});
