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
  const log: Logger = {
    ...silentLogger,
    info: (_facts, message) => void lines.push(['info', message]),
    warn: (_facts, message) => void lines.push(['warn', message]),
    error: (_facts, message) => void lines.push(['error', message]),
  };
  const pinged = (what: string) => ({
    ping: async () => {
      if (away.has(what)) throw new Error('connection refused');
    },
  });
  const platform = { log, store: pinged('store'), queue: pinged('queue') } as unknown as Platform;
  const state = new ServiceState('reasoner');
  const health = new HealthController(platform, state);
  /** Of a probe's answer, and as the filter answers it over HTTP. */
  const status = async (probe: 'ready' | 'live' | 'startup'): Promise<number> => {
    try {
      await health[probe]();
      return 200;
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(NotHealthy);
      let answered = 0;
      const response = {
        ...{ headersSent: false, type: () => response, send: () => undefined },
        status: (code: number) => ((answered = code), response),
      };
      const host = { getType: () => 'http', switchToHttp: () => ({ getResponse: () => response }) };
      new ProblemFilter(log).catch(thrown, host as unknown as ArgumentsHost);
      return answered;
    }
  };
  return { lines, away, state, status };
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

  it('tell what is wrong now when it is something else', async () => {
    const { lines, away, state, status } = probed();
    state.phase = 'ready';
    away.add('queue');
    await status('ready');
    state.deafQueues = async () => ['reason'];
    expect(await status('live')).toBe(503);
    expect(lines).toEqual([
      ['warn', 'not healthy: the queue does not answer'],
      ['warn', 'not healthy: work waits that nobody fetches: reason'],
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
