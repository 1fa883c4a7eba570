import { once } from 'node:events';
import { Agent, createServer, request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mayUse, silentLogger, type Caller, type Right } from '@casefile/contracts';
import { AccessGuard, AccessTable } from '@casefile/runtime';
import express from 'express';
import { consoleEntries } from '../access-entries.js';
import { routes } from '../routes/index.js';

const viewer: Caller = { name: 'eve', proof: 'key', role: 'viewer', scopes: [] };
/** Rights of the handlers that the last request reached. */
let reached: { path: string; right: Right }[] = [];
let server: Server;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request whose path is not normalised, and returns its status. */
function send(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    sendRequest({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

/** Ways to write a path so that a guard and a router might read it differently. */
const WRITINGS: ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace('/v1/', '//v1//'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/v1/meta/../'),
  (path) => path.replace('/v1/', '/v1/meta/%2e%2e/'),
  (path) => path.replace('/v1/', '/v1%2f'),
  (path) => path.replace('/v1/', '/v1\\'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replace('/api/', '/api/docs/../'),
  (path) => path.replace('/api/', '/api/docs/%2e%2e/'),
  (path) => path.toUpperCase(),
  (path) => `${path}.`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path};x=1`,
  (path) => `${path}.json`,
  (path) => `${path}?/api/v1/meta`,
  (path) => `${path}%3f`,
  (path) => `http://other.example${path}`,
  (path) => `/api/v1/meta/..${path}`,
  (path) => `/api/v1/meta#${path}`,
];
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'];
const HEADERS = [
  'x-original-url',
  'x-rewrite-url',
  'x-forwarded-path',
  'x-forwarded-prefix',
  'x-forwarded-uri',
];
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override'];

const guarded = [
  ...routes
    .filter(({ right }) => !mayUse(viewer, right))
    .map(({ path }) => `/api/v1${path.replaceAll(/\{\w+\}/g, 'meta')}`),
  '/queues',
  '/queues/api/queues',
];
/** Fails if a handler was reached that a viewer may not use. */
function expectNoneBeyondViewer(written: string): void {
  const beyond = reached
    .filter(({ right }) => !mayUse(viewer, right))
    .map(({ path }) => `${written} reached ${path}`);
  expect(beyond).toEqual([]);
  reached = [];
}

/**
 * Tests that the guard and the routers read an odd path in the same way.
 * @param everyMethod true: each writing of a path is sent by each method; false: by one of them in turn.
 */
export function guardsOddPaths(everyMethod: boolean): void {
  // The handlers check nothing, so the guard alone decides.
  beforeAll(async () => {
    const app = express();
    const guard = new AccessGuard({
      table: new AccessTable(consoleEntries(routes)),
      authenticators: [{ authenticate: async () => viewer }],
      isOpen: async () => false,
      log: silentLogger,
    });
    app.use(guard.handler());
    const reach = (path: string, right: Right) => (_request: unknown, response: express.Response) => {
      reached.push({ path, right });
      response.json({});
    };
    const api = express.Router();
    for (const { method, path, right } of routes)
      api[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), reach(path, right));
    app.use('/api/v1', api);
    app.use('/queues', reach('/queues', 'operator'));
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    agent.destroy();
    server.close();
  });

  it.each(METHODS)('S2-21 reaches no handler beyond the role by %s', async (method) => {
    for (const [nth, path] of guarded.entries())
      for (const [at, write] of WRITINGS.entries()) {
        if (!everyMethod && METHODS[(nth + at) % METHODS.length] !== method) continue;
        await send(method, write(path));
        expectNoneBeyondViewer(`${method} ${write(path)}`);
      }
  });

  it('S2-21 reaches no handler beyond the role by a header that names another path, method or sender', async () => {
    for (const path of guarded) {
      const forwarded = {
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'localhost',
        'x-real-ip': '::1',
      };
      await send('POST', path, forwarded);
      for (const header of HEADERS) await send('GET', '/api/v1/meta', { ...forwarded, [header]: path });
      for (const header of OVERRIDES) await send('GET', path, { [header]: 'POST' });
      expectNoneBeyondViewer(path);
    }
  });

  it('S2-21 is still checked: the handlers of a viewer are reached', async () => {
    expect([await send('GET', '/api/v1/meta'), reached.map(({ path }) => path)]).toEqual([200, ['/meta']]);
    expect([await send('GET', '/API/v1/Meta/'), reached.length]).toEqual([200, 2]);
    expect(guarded.length).toBeGreaterThan(60);
  });
}
