import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { CasefileError, NO_CHANGES, noTelemetry, silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { AccessGuard, AccessTable, guardRequests, type Platform } from '@casefile/runtime';
import express from 'express';
import { consoleWith } from './console.js';
import { EventLog } from './testing/event-log.js';

@Module({})
class NoModule {}

let app: NestExpressApplication;
let audit: unknown[] = [];
let cannotTell = false;
const noteOperatorAction = async (...entry: unknown[]): Promise<void> => {
  if (cannotTell) throw new CasefileError('store_unreachable', 'away', { retryable: true });
  audit.push(entry);
};
let close: () => Promise<void>;
let url: string;

beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(NoModule, { logger: false, bodyParser: false });
  app.use(guardRequests([], silentLogger));
  app.use(express.json());
  const board = (basePath: string) =>
    express
      .Router()
      .get('/', (_request, response) => void response.send(`board at ${basePath}`))
      .put('/retry', (_request, response) => void response.send('retried'));
  const platform = {
    config: {
      env: {},
      resolvedOidc: () => null,
      destinations: [],
      kinds,
      playbooks,
      prompts: { installed: [] },
      provider: null,
      fallbackProviders: [],
      playbookProviders: {},
      ports: { ingest: 3001 },
      mcp: [],
      settings: {
        intake: { maxBatch: 100 },
        delivery: { addedAllowPrivate: false },
        reviews: { sendAfterSeconds: 10 },
        budgets: { playbook: {}, lane: {} },
        access: { attemptsPerMinute: 30 },
      },
    },
    toolNames: [],
    installation: { latest: () => null },
    store: { record: Object.assign(new EventLog(), { noteOperatorAction }) },
    knowledge: { policies: {}, runbooks: {} },
    queue: { depths: async () => [], ping: async () => undefined },
    intake: {},
    changes: NO_CHANGES,
    clock: manualClock(),
    log: silentLogger,
    server: { board },
    telemetry: noTelemetry,
  };
  const definition = consoleWith({ dashboard: '/nowhere' });
  const guard = new AccessGuard({
    table: new AccessTable(definition.access?.(platform as unknown as Platform) ?? []),
    authenticators: [],
    isOpen: async () => true,
    log: silentLogger,
  });
  app.use(guard.handler(definition.pages));
  close = (await definition.prepare?.(app, platform as unknown as Platform, guard)) as () => Promise<void>;
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(() => app.close());

const get = (path: string) => fetch(`${url}${path}`, { redirect: 'manual' });

describe('the console service', () => {
  it.each([
    ['/', 'text/html', 'href="/api/docs"'],
    ['/api/docs', 'text/html', 'swagger-ui-init.js'],
    ['/api/docs/swagger-ui-bundle.js', 'javascript', 'SwaggerUI'],
    ['/api/docs/swagger-ui-init.js', 'javascript', '/api/openapi-ingest.json'],
    ['/api/openapi.json', 'application/json', '/dead-letters/redrive'],
    ['/api/openapi-ingest.json', 'application/json', 'http://127.0.0.1:3001'],
    ['/queues', 'text/html', 'board at /queues'],
  ])('answers %s, with headers for browsers', async (path, type, words) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src '(self|none)'/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toContain(words);
  });

  it.each(['/api/docs/swagger-ui-bundle.js', '/api/openapi.json'])(
    'S2-32 compresses %s for a browser that takes it',
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get('content-encoding')).toMatch(/^(gzip|br)$/);
      expect(headers.get('vary')).toContain('Accept-Encoding');
    },
  );

  it('lets our own pages alone frame the queue board, and no page the record', async () => {
    const framed = async (path: string): Promise<string | null> =>
      (await get(path)).headers.get('x-frame-options');
    expect(await framed('/queues')).toBe('SAMEORIGIN');
    expect((await get('/queues')).headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(await framed('/api/v1/meta')).toBe('DENY');
  });

  it('tells what somebody changes on the queue board, and does nothing it cannot tell', async () => {
    const retry = () => fetch(`${url}/queues/retry`, { method: 'PUT' });
    await get('/queues');
    expect(await (await retry()).text()).toBe('retried');
    expect(audit).toEqual([['queue-board', { method: 'PUT', path: '/retry' }]]);
    cannotTell = true;
    expect((await retry()).status).toBe(503);
    [cannotTell, audit] = [false, []];
  });

  it('says what is running', async () => {
    expect(await (await get('/api/v1/meta')).json()).toMatchObject({
      provider: 'unknown',
      model: null,
      isSimulator: false,
      startedAt: '2026-01-05T10:00:00.000Z',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      capabilities: expect.arrayContaining(['search', 'events']),
    });
  });

  it('has no page that brings scripts or fonts from elsewhere', async () => {
    for (const path of ['/', '/api/docs'])
      expect(await (await get(path)).text()).not.toMatch(/(src|href)=["']https?:/);
  });

  it('shows the document of a case where its page will be', async () => {
    const response = await get('/cases/abc');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/api/v1/cases/abc']);
  });

  it('ends streams first when it is closed, so that the server can close', async () => {
    const stream = await get('/api/v1/events');
    // Compression would delay events until enough of them are buffered.
    expect(stream.headers.get('content-encoding')).toBeNull();
    await close();
    expect(await stream.text()).toContain('retry: 1000');
  });
});
