import { noTelemetry, silentLogger } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { METRICS } from '@casefile/telemetry';
import { UnderWay } from '@casefile/engine';
import { EventLoopLag, watchEventLoop } from './event-loop.js';

function world() {
  const told: { facts: Record<string, unknown>; message: string }[] = [];
  const measured: [name: string, value: number][] = [];
  const log = {
    ...silentLogger,
    warn: (facts: object, message: string) => void told.push({ facts: { ...facts }, message }),
  };
  const telemetry = {
    ...noTelemetry,
    measure: (name: string, value: number) => void measured.push([name, value]),
  };
  const underWay = new UnderWay();
  return { told, measured, underWay, ports: { log, telemetry, underWay } };
}

/** Measurement in Node's form: the longest delay in nanoseconds. */
const delaysOf = (ms: number) => ({
  max: ms * 1e6,
  resets: 0,
  reset() {
    this.resets += 1;
    this.max = 0;
  },
});

function tellOf(ports: ReturnType<typeof world>['ports'], ms: number): void {
  const lag = new EventLoopLag(ports, delaysOf(ms));
  lag.look(0);
  lag.report();
}

describe('the lag of the event loop', () => {
  it('E-06 is a metric in seconds, without the length of the measuring timer, and begins again', () => {
    const { told, measured, ports } = world();
    const lag = new EventLoopLag(ports, delaysOf(260));
    lag.look(3);
    lag.look(4);
    lag.report();
    lag.look(3);
    lag.report();
    expect(measured).toEqual([
      [METRICS.eventLoopLag, 0.25],
      [METRICS.eventLoopLag, 0.003],
    ]);
    expect(told).toEqual([]);
  });

  it('E-12 each reading goes to who yields to it, the longest of them to the metric', () => {
    const { measured, ports } = world();
    const seen: number[] = [];
    const lag = new EventLoopLag({ ...ports, sawLag: (ms) => void seen.push(ms) }, delaysOf(60));
    for (const late of [0, 1, 12]) lag.look(late);
    lag.report();
    expect(seen).toEqual([50, 1, 12]);
    expect(measured).toEqual([[METRICS.eventLoopLag, 0.05]]);
  });

  it('E-06 a block of over a second is logged with the stages under way and those that just ended', async () => {
    const { told, underWay, ports } = world();
    await underWay.during({ stage: 'triage', runId: 'r1' }, async () => undefined);
    await underWay.during({ stage: 'reason', runId: 'r2' }, async () => {
      tellOf(ports, 1_000);
      expect(told).toEqual([]);
      await underWay.during({ stage: 'write', runId: 'r3' }, async () => undefined);
      tellOf(ports, 1_510);
    });
    expect(told).toEqual([
      {
        message: 'event loop blocked',
        facts: {
          ms: 1_500,
          stages: [
            { stage: 'reason', runId: 'r2' },
            { stage: 'write', runId: 'r3' },
          ],
        },
      },
    ]);
  });

  it('E-06 a real block is seen, whatever it was in', async () => {
    const { told, underWay, ports } = world();
    let readings = 0;
    const stop = watchEventLoop({ ...ports, sawLag: () => void (readings += 1) });
    try {
      await underWay.during({ stage: 'reason', runId: 'r1' }, async () => {
        // Node's measure begins with its own first tick.
        await until('the event loop is measured', () => readings >= 3);
        const end = performance.now() + 1_500;
        while (performance.now() < end);
      });
      await until('the block is logged', () => told.length > 0);
    } finally {
      stop();
    }
    expect(told[0]?.facts['stages']).toContainEqual({ stage: 'reason', runId: 'r1' });
    expect(told[0]?.facts['ms']).toBeGreaterThanOrEqual(1_000);
  });
});
