import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger, type Condition } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createGuardedPost } from '@casefile/evidence';
import { OutsideHeartbeat } from './outside-heartbeat.js';
import type { OpenConditions } from './conditions.js';

const condition = (id: string): Condition => ({
  id,
  severity: 'error',
  since: null,
  text: id,
  effect: '',
  act: '',
  link: '/',
});
const state = (ids: string[] = [], unknown: string[] = []): OpenConditions => ({
  conditions: ids.map(condition),
  unknown: new Set(unknown),
});

describe('the heartbeat to an outside monitor', () => {
  let server: Server;
  let url: string;
  let status = 200;
  const received: { method: string; path: string; type: string; timestamp: string }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString()) as { type: string; timestamp: string };
        received.push({ method: request.method ?? '', path: request.url ?? '', ...body });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/secret`;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    status = 200;
    received.length = 0;
  });

  /** Processes that share a record. */
  function bench(everySeconds = 60) {
    const clock = manualClock();
    let at: number | null = null;
    const warnings: object[] = [];
    const log = { ...silentLogger, warn: (data: object) => void warnings.push(data) };
    const store = {
      destinations: {
        reportedUntil: async () => at,
        setReportedUntil: async (_kind: string, now: number) => void (at = now),
      },
    };
    const process = () => {
      const client = createGuardedPost({ timeoutMs: 5_000, maxBytes: 100, clock });
      const heartbeat = { url, everySeconds, allowPrivate: true };
      return new OutsideHeartbeat({ store, clock, log, heartbeat, client });
    };
    return { clock, warnings, process, one: process() };
  }

  it('is a POST at its interval, whichever process sends it', async () => {
    const { clock, process, one } = bench();
    const other = process();
    await one.beat(state());
    for (const beat of [other, one, other]) {
      clock.advance(30_000);
      await beat.beat(state());
    }
    const about = { method: 'POST', path: '/ping/secret', type: 'heartbeat' };
    expect(received).toEqual([
      { ...about, timestamp: '2026-01-05T10:00:00.000Z' },
      { ...about, timestamp: '2026-01-05T10:01:00.000Z' },
    ]);
    await Promise.all([one.close(), other.close()]);
  });

  it.each<[string, OpenConditions]>([
    ['the database is out', state(['store_out'])],
    ['the queue store is out', state(['queue_out'])],
    ['a service is absent', state(['service_absent.reasoner'])],
    ['the services could not be read', state([], ['service_absent'])],
  ])('is not sent while %s, and is sent at the end of it', async (_what, stopped) => {
    const { one, warnings } = bench();
    for (let n = 0; n < 3; n += 1) await one.beat(stopped);
    expect(received).toEqual([]);
    // Logged once, not each time.
    expect(warnings).toEqual([{ problem: expect.stringMatching(/^Casefile does not work: \w+/) }]);
    await one.beat(state());
    expect(received).toHaveLength(1);
    await one.close();
  });

  it('is sent while other conditions are open or unknown', async () => {
    const { one } = bench();
    await one.beat(state(['provider_out.acme', 'dead_letters'], ['quality_low']));
    expect(received).toHaveLength(1);
    await one.close();
  });

  it('is sent again immediately if the monitor did not accept it, and its address is not logged', async () => {
    const { one, warnings } = bench();
    status = 500;
    await one.beat(state());
    status = 200;
    await one.beat(state());
    await one.beat(state());
    expect(received).toHaveLength(2);
    expect(warnings).toEqual([{ problem: 'the monitor answered HTTP 500' }]);
    await one.close();
  });
});
