import {
  silentLogger,
  type Changes,
  type ChangeSubject,
  type FlagState,
  type SharedSettings,
  type SharedSettingsReader,
} from '@casefile/contracts';
import { ChangeWatch } from '../compose/change-watch.js';
import { NO_ROLLOUT } from '../rollout/rollout-copy.js';
import { SettingsCopy } from './settings-copy.js';

const flag = (version: number): FlagState => ({
  name: 'one',
  variant: 'on',
  version,
  by: 'ann',
  reason: 'try',
  latched: false,
  changedAt: '2026-01-05T10:00:00.000Z',
});
const NOTHING = { prompts: [], flags: [], experiments: [], recalibrations: [] };
const settingsWith = (flags: FlagState[]): SharedSettings => ({
  rollout: { ...NOTHING, flags },
  dataSources: [],
  destinations: [],
  installation: null,
});

/** A store whose notifications and outages a test decides. */
class Bench implements SharedSettingsReader, Changes {
  now = 1_000;
  reads = 0;
  listeners = 0;
  fails = false;
  state = settingsWith([]);
  changed = (_subject: ChangeSubject) => undefined as void;
  lost = (_error: Error) => undefined as void;
  onRead = () => undefined as void;
  readonly watch = new ChangeWatch(this, silentLogger);
  readonly copy = new SettingsCopy({
    settings: this,
    changes: this.watch,
    clock: { now: () => this.now },
    log: silentLogger,
  });

  read = async () => {
    this.reads += 1;
    const { state } = this;
    await Promise.resolve();
    this.onRead();
    if (this.fails) throw new Error('out');
    return state;
  };

  listen: Changes['listen'] = async (changed, lost) => {
    if (this.fails) throw new Error('out');
    this.listeners += 1;
    this.changed = changed;
    this.lost = lost;
    return async () => void (this.listeners -= 1);
  };

  async start(): Promise<void> {
    await this.watch.start();
    await this.copy.start();
  }

  async stop(): Promise<void> {
    await this.copy.stop();
    await this.watch.stop();
  }

  lose(): void {
    this.listeners -= 1;
    this.lost(new Error('closed'));
  }
}

describe('S4-57 the copy of the shared settings', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('has what was read at the start, and a change as soon as the store notifies of it', async () => {
    const bench = new Bench();
    bench.state = settingsWith([flag(1)]);
    await bench.start();
    expect(bench.copy.current()).toMatchObject({ flags: [{ version: 1 }], readAt: 1_000, stale: false });
    bench.state = settingsWith([flag(2)]);
    bench.changed('imports');
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.copy.current().flags).toEqual([flag(1)]);
    bench.changed('settings');
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.copy.current().flags).toEqual([flag(2)]);
    await bench.stop();
    expect(bench.listeners).toBe(0);
  });

  it('reads again when a change comes while it reads', async () => {
    const bench = new Bench();
    await bench.start();
    bench.onRead = () => {
      bench.onRead = () => undefined;
      bench.state = settingsWith([flag(3)]);
      bench.changed('settings');
    };
    await bench.copy.refresh();
    expect(bench.copy.current().flags).toEqual([flag(3)]);
    await bench.stop();
  });

  it('S4-58 has a change within 5 s if no notification comes: polls every 2 s, and listens again', async () => {
    const bench = new Bench();
    await bench.start();
    bench.lose();
    await jest.advanceTimersByTimeAsync(0);
    bench.state = settingsWith([flag(4)]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(bench.copy.current().flags).toEqual([flag(4)]);
    expect(bench.listeners).toBe(1);
    await bench.stop();
    const { reads } = bench;
    await jest.advanceTimersByTimeAsync(100_000);
    expect(bench.reads).toBe(reads);
  });

  it('S4-58 R16 reads once a minute while notifications arrive, so that a lost one delays a change by 66 s', async () => {
    const bench = new Bench();
    await bench.start();
    bench.state = settingsWith([flag(5)]);
    await jest.advanceTimersByTimeAsync(66_000);
    expect(bench.copy.current().flags).toEqual([flag(5)]);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(bench.reads).toBeLessThanOrEqual(14);
    await bench.stop();
  });

  it('is as new as the last notification can tell, also long after the last read', async () => {
    const bench = new Bench();
    await bench.start();
    bench.now += 50_000;
    expect(bench.copy.current()).toMatchObject({ readAt: 51_000, stale: false });
    await bench.stop();
  });

  it('keeps its state while the store does not answer, is stale after 10 s, and recovers', async () => {
    const bench = new Bench();
    bench.state = settingsWith([flag(1)]);
    await bench.start();
    bench.now += 50_000;
    bench.fails = true;
    bench.lose();
    bench.now += 10_000;
    await jest.advanceTimersByTimeAsync(4_000);
    expect(bench.copy.current()).toMatchObject({ flags: [flag(1)], stale: false });
    bench.now += 1;
    expect(bench.copy.current()).toMatchObject({ flags: [flag(1)], stale: true });
    bench.fails = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(bench.copy.current().stale).toBe(false);
    await bench.stop();
  });

  it('fails to start if the store does not answer, and has no changes where nothing is rolled out', async () => {
    const bench = new Bench();
    bench.fails = true;
    await expect(bench.start()).rejects.toThrow('out');
    expect(NO_ROLLOUT.current()).toEqual({ ...NOTHING, readAt: null, stale: false });
    await bench.stop();
  });
});
