import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CasefileError, silentLogger } from '@casefile/contracts';
import express from 'express';
import { AccessGuard, AccessTable } from '@casefile/runtime';
import { consoleEntries } from '../access-entries.js';
import type { ConsolePorts } from '../console-ports.js';
import { routes } from '../routes/index.js';
import { mountRoutes } from './mount-routes.js';

const acts = routes.filter(({ tag, method }) => tag === 'access' && method !== 'get');
const admin = { name: 'ann', proof: 'key' as const, role: 'admin' as const, scopes: [] };

describe('T-20 acts on keys and sessions', () => {
  it('are the routes that change who may use the console', () => {
    expect(acts.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['createKey', 'rotateKey', 'revokeKey', 'revokeSignInSession']),
    );
  });

  it.each(acts.map(({ operationId, path }) => [operationId, path] as const))(
    '%s forgets who was checked, also if the database did not confirm the act',
    async (operationId, path) => {
      const forgetAll = jest.fn();
      const fails = {
        handler: () => Promise.reject(new CasefileError('store_unreachable', 'gone')),
        input: {},
      };
      const failing = routes.map((one) => (one.operationId === operationId ? { ...one, ...fails } : one));
      const guard = new AccessGuard({
        table: new AccessTable(consoleEntries(routes)),
        authenticators: [{ authenticate: async () => admin }],
        isOpen: async () => false,
        log: silentLogger,
      });
      const parts = { log: silentLogger, readings: { note: async () => undefined }, checked: { forgetAll } };
      const router = mountRoutes(failing, { playbooks: [] } as unknown as ConsolePorts, parts as never);
      const app = express().use(guard.handler(), express.json()).use('/api/v1', router);
      const server = createServer(app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
      const response = await fetch(url + path.replaceAll(/\{\w+\}/g, 'x'), { method: 'POST' });
      await once(server.close(), 'close');
      expect([response.status, forgetAll.mock.calls.length]).toEqual([503, 1]);
    },
  );
});
