import type { ProcessState, Reading } from '@casefile/contracts';
import { soleReporter } from './sole-reporter.js';

const processOf = (id: string, pid: number, over: Partial<ProcessState> = {}): ProcessState =>
  ({ id, host: 'h', pid, services: ['console'], silentMs: 0, stoppedAt: null, ...over }) as ProcessState;

/** A console that reads these processes. Returns what its gauge reports at a scrape. */
function scrapeOf(list: () => Promise<ProcessState[]>, pid: number) {
  const reads: (() => Reading | Promise<Reading>)[] = [];
  const telemetry = {
    gauge: (_name: string, read: () => Reading | Promise<Reading>) => {
      reads.push(read);
      return () => undefined;
    },
  };
  soleReporter({ processes: { list } }, 'console', telemetry, { host: 'h', pid }, 0).gauge('depth', () => 7);
  return async () => reads[0]!();
}

describe('a gauge of what all processes share', () => {
  const both = [processOf('b', 2), processOf('a', 1), processOf('0', 9, { services: ['ingest'] })];

  it('E-08 is reported once, however many consoles run, and by the next one after a stop', async () => {
    let states = both;
    const [first, second] = [scrapeOf(async () => states, 1), scrapeOf(async () => states, 2)];
    expect([await first(), await second()]).toEqual([7, []]);
    states = [processOf('b', 2), processOf('a', 1, { stoppedAt: '2026-01-01T00:00:00Z' })];
    expect(await second()).toBe(7);
    states = [processOf('b', 2), processOf('a', 1, { silentMs: 3_600_000 })];
    expect(await second()).toBe(7);
  });

  it('E-08 stays with its reporter while the store is out', async () => {
    let isOut = false;
    const list = async () => {
      if (isOut) throw new Error('the store is out');
      return both;
    };
    const [first, second] = [scrapeOf(list, 1), scrapeOf(list, 2)];
    expect([await first(), await second()]).toEqual([7, []]);
    isOut = true;
    expect([await first(), await second()]).toEqual([7, []]);
  });
});
