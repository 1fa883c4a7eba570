import { silentLogger, type FlagState, type Rollout, type RolloutState } from '@casefile/contracts';
import { NO_ROLLOUT, RolloutCopy } from './rollout-copy.js';

const EMPTY: RolloutState = { prompts: [], flags: [], experiments: [], recalibrations: [] };
const flag = (version: number): FlagState => ({
  name: 'one',
  variant: 'on',
  version,
  by: 'ann',
  reason: 'try',
  latched: false,
  changedAt: '2026-01-05T10:00:00.000Z',
});

class Bench implements Rollout {
  now = 1_000;
  reads = 0;
  listeners = 0;
  fails = false;
  state = EMPTY;
  changed = () => undefined as void;
  lost = (_error: Error) => undefined as void;
  onRead = () => undefined as void;
  readonly copy = new RolloutCopy({ rollout: this, clock: { now: () => this.now }, log: silentLogger });

  read = async () => {
    this.reads += 1;
    const { state } = this;
    await Promise.resolve();
    this.onRead();
    if (this.fails) throw new Error('out');
    return state;
  };

  listen: Rollout['listen'] = async (changed, lost) => {
    if (this.fails) throw new Error('out');
    this.listeners += 1;
    this.changed = changed;
    this.lost = lost;
    return async () => void (this.listeners -= 1);
  };
}

describe('S4-57 the copy of rolled-out changes', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('has what was read at the start, and a change as soon as the store notifies of it', async () => {
    const bench = new Bench();
    bench.state = { ...EMPTY, flags: [flag(1)] };
    await bench.copy.start();
    expect(bench.copy.current()).toMatchObject({ flags: [{ version: 1 }], readAt: 1_000, stale: false });
    bench.state = { ...EMPTY, flags: [flag(2)] };
    bench.changed();
    await bench.copy.refresh();
    expect(bench.copy.current().flags).toEqual([flag(2)]);
    await bench.copy.stop();
    expect(bench.listeners).toBe(0);
  });

  it('reads again when a change comes while it reads', async () => {
    const bench = new Bench();
    await bench.copy.start();
    bench.onRead = () => {
      bench.onRead = () => undefined;
      bench.state = { ...EMPTY, flags: [flag(3)] };
      bench.changed();
    };
    await bench.copy.refresh();
    expect(bench.copy.current().flags).toEqual([flag(3)]);
    await bench.copy.stop();
  });

  it('S4-58 has a change within 5 s if no notification comes: polls every 2 s, and listens again', async () => {
    const bench = new Bench();
    await bench.copy.start();
    bench.listeners -= 1;
    bench.lost(new Error('closed'));
    bench.state = { ...EMPTY, flags: [flag(4)] };
    await jest.advanceTimersByTimeAsync(2_000);
    expect(bench.copy.current().flags).toEqual([flag(4)]);
    expect(bench.listeners).toBe(1);
    await bench.copy.stop();
    const { reads } = bench;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(bench.reads).toBe(reads);
  });

  it('keeps its state while the store does not answer, is stale after 10 s, and recovers', async () => {
    const bench = new Bench();
    bench.state = { ...EMPTY, flags: [flag(1)] };
    await bench.copy.start();
    bench.fails = true;
    bench.now += 10_000;
    await jest.advanceTimersByTimeAsync(4_000);
    expect(bench.copy.current()).toMatchObject({ flags: [flag(1)], stale: false });
    bench.now += 1;
    expect(bench.copy.current()).toMatchObject({ flags: [flag(1)], stale: true });
    bench.fails = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(bench.copy.current().stale).toBe(false);
    await bench.copy.stop();
  });

  it('fails to start if the store does not answer, and has no changes where nothing is rolled out', async () => {
    const bench = new Bench();
    bench.fails = true;
    await expect(bench.copy.start()).rejects.toThrow('out');
    expect(NO_ROLLOUT.current()).toEqual({ ...EMPTY, readAt: null, stale: false });
  });
});
