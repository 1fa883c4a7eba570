import { silentLogger, type Logger } from '@casefile/contracts';
import type { ArgumentsHost } from '@nestjs/common';
import type { Platform } from '../compose/platform.js';
import { HealthController } from './health.controller.js';
import { NotHealthy, ProblemFilter } from './problem-filter.js';
import { ServiceState } from './service-state.js';

type Line = [level: string, message: string];

function probed() {
  const lines: Line[] = [];
  const away = new Set<string>();
  const database = { goneForMs: 0 };
  const log: Logger = {
    ...silentLogger,
    info: (_facts, message) => void lines.push(['info', message]),
    warn: (_facts, message) => void lines.push(['warn', message]),
    error: (_facts, message) => void lines.push(['error', message]),
  };
  const fails = (what: string, why: string) => async () => {
    if (away.has(what)) throw new Error(why);
  };
  const platform = {
    log,
    store: {
      ping: fails('store', 'connection refused'),
      proveWrites: fails('writes', 'the disk is full'),
    },
    queue: { ping: fails('queue', 'connection refused') },
    server: { ownDatabase: { goneForMs: () => database.goneForMs } },
  } as unknown as Platform;
  const state = new ServiceState('reasoner');
  const health = new HealthController(platform, state);
  /**
   * Returns a probe's answer as the filter sends it over HTTP: the status, and the reason if it is not
   * healthy.
   */
  const answer = async (probe: 'ready' | 'live' | 'startup'): Promise<[number, string?]> => {
    try {
      await health[probe]();
      return [200];
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(NotHealthy);
      let answered: [number, string?] = [0];
      const response = {
        headersSent: false,
        type: () => response,
        status: () => response,
        send: (body: string) => {
          const { status, detail } = JSON.parse(body) as { status: number; detail: string };
          answered = [status, detail];
        },
      };
      const host = { getType: () => 'http', switchToHttp: () => ({ getResponse: () => response }) };
      new ProblemFilter(log).catch(thrown, host as unknown as ArgumentsHost);
      return answered;
    }
  };
  const status = async (probe: 'ready' | 'live' | 'startup') => (await answer(probe))[0];
  return { lines, away, database, state, status, answer };
}

describe('probes', () => {
  it('tell of a store that is away once, and once that it is back, however often they ask', async () => {
    const { lines, away, state, status } = probed();
    state.phase = 'ready';
    expect(await status('ready')).toBe(200);
    away.add('store');
    for (let i = 0; i < 5; i += 1) expect(await status('ready')).toBe(503);
    away.delete('store');
    expect([await status('ready'), await status('ready')]).toEqual([200, 200]);
    expect(lines).toEqual([
      ['warn', 'not healthy: the store does not answer'],
      ['info', 'well again: the store does not answer'],
    ]);
  });

  it('E-08 fail, with the reason, while the store answers but takes no writes', async () => {
    const { lines, away, state, status, answer } = probed();
    state.phase = 'ready';
    away.add('writes');
    expect(await answer('ready')).toEqual([503, 'the store takes no writes: the disk is full']);
    expect(await status('live')).toBe(200);
    // A store that does not answer accepts no writes either, so only one problem is reported.
    away.add('store').add('queue');
    const refused = ['store', 'queue'].map((what) => `the ${what} does not answer: connection refused`);
    expect(await answer('ready')).toEqual([503, refused.join('; ')]);
    away.clear();
    expect(await status('ready')).toBe(200);
    expect(lines.map(([, message]) => message)).toEqual([
      'not healthy: the store takes no writes',
      'not healthy: the store does not answer, the queue does not answer',
      'well again: the store does not answer, the queue does not answer',
    ]);
  });

  it('E-08 say that a process is not alive once its own database has been gone for 60 s', async () => {
    const { lines, database, status, answer } = probed();
    for (const [goneForMs, expected] of [
      [0, 200],
      [59_999, 200],
      [60_000, 503],
      [75_500, 503],
      [0, 200],
    ] as const) {
      database.goneForMs = goneForMs;
      expect(await status('live')).toBe(expected);
    }
    expect(lines).toEqual([
      ['warn', 'not healthy: the embedded database has been gone for more than 60 s'],
      ['info', 'well again: the embedded database has been gone for more than 60 s'],
    ]);
    database.goneForMs = 75_500;
    expect((await answer('live'))[1]).toMatch(/^the embedded database has been gone .*: 75 s$/);
  });

  it('tell what is wrong now when it is something else', async () => {
    const { lines, away, state, status } = probed();
    state.phase = 'ready';
    away.add('queue');
    await status('ready');
    state.deafQueues = async () => ['reason'];
    expect(await status('live')).toBe(503);
    expect(lines).toEqual([
      ['warn', 'not healthy: the queue does not answer'],
      ['warn', 'not healthy: work waits and no worker fetches it'],
    ]);
  });

  it('say nothing of a service that starts or stops', async () => {
    const { lines, state, status } = probed();
    expect([await status('startup'), await status('ready')]).toEqual([503, 503]);
    state.phase = 'stopping';
    expect([await status('startup'), await status('ready')]).toEqual([200, 503]);
    expect(lines).toEqual([]);
  });
});
