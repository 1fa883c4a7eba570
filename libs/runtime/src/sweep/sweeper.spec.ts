import { noTelemetry, silentLogger } from '@casefile/contracts';
import { FigureReader } from './figure-reader.js';
import { Sweeper, type Chore, type SweeperPorts } from './sweeper.js';

function sweeperWith(chores: Record<string, Chore>) {
  const released: string[] = [];
  const ports = {
    store: {
      lead: async () => ({ release: async () => void released.push('released') }),
      units: { sweep: async () => [] },
    },
    queue: { hasSentinel: async () => true },
    outbox: null,
    chores,
    log: silentLogger,
    telemetry: noTelemetry,
  } as unknown as SweeperPorts;
  return { sweeper: new Sweeper(ports), released };
}

describe('Sweeper', () => {
  it('R14 does every chore in each pass, also after one that fails', async () => {
    const done: string[] = [];
    const { sweeper, released } = sweeperWith({
      first: { tick: async () => void done.push('first') },
      broken: { tick: async () => Promise.reject(new Error('no answer')) },
      last: { tick: async () => void done.push('last') },
    });
    await sweeper.tick();
    await sweeper.tick();
    expect(done).toEqual(['first', 'last', 'first', 'last']);
    // Its connection may be the reason, so another process may lead.
    expect(released).toEqual(['released', 'released']);
  });

  it('R14 starts no chore once it is halted', async () => {
    const done: string[] = [];
    const { sweeper } = sweeperWith({
      first: { tick: async () => sweeper.halt() },
      second: { tick: async () => void done.push('second') },
    });
    await sweeper.tick();
    expect(done).toEqual([]);
  });
});

describe('FigureReader', () => {
  it('S4-60 reads pages until one is not full, a bounded number per pass', async () => {
    const asked: number[] = [];
    const left = [2_000, 2_000, 7];
    const reader = new FigureReader(
      { note: async (limit) => asked.push(limit) && (left.shift() ?? 0) },
      0.02,
    );
    await reader.tick(new AbortController().signal);
    expect(asked).toEqual([2_000, 2_000, 2_000]);
    const endless = new FigureReader({ note: async (limit) => asked.push(limit) && limit }, 0.02);
    asked.length = 0;
    await endless.tick(new AbortController().signal);
    expect(asked).toHaveLength(10);
  });
});
