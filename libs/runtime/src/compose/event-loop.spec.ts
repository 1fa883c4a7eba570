import { noTelemetry, silentLogger } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import { UnderWay } from '../executor/under-way.js';
import { lookAtEventLoop, watchEventLoop } from './event-loop.js';

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

/** As Node measures: the longest delay in nanoseconds. */
const delaysOf = (ms: number) => ({
  max: ms * 1e6,
  resets: 0,
  reset() {
    this.resets += 1;
    this.max = 0;
  },
});

describe('the lag of the event loop', () => {
  it('E-06 is a metric in seconds, without the length of the measuring timer, and begins anew', () => {
    const { told, measured, ports } = world();
    const delays = delaysOf(260);
    lookAtEventLoop(ports, delays, 3);
    lookAtEventLoop(ports, delays, 3);
    expect(measured).toEqual([
      [METRICS.eventLoopLag, 0.25],
      [METRICS.eventLoopLag, 0.003],
    ]);
    expect(told).toEqual([]);
  });

  it('E-06 a block of over a second is logged with the stages under way and those that just ended', async () => {
    const { told, underWay, ports } = world();
    await underWay.during({ stage: 'triage', runId: 'r1' }, async () => undefined);
    await underWay.during({ stage: 'reason', runId: 'r2' }, async () => {
      lookAtEventLoop(ports, delaysOf(1_000), 0);
      expect(told).toEqual([]);
      await underWay.during({ stage: 'write', runId: 'r3' }, async () => undefined);
      lookAtEventLoop(ports, delaysOf(1_510), 0);
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
    const stop = watchEventLoop(ports);
    try {
      await underWay.during({ stage: 'reason', runId: 'r1' }, async () => {
        // Node's measure begins with its own first tick.
        await new Promise((resolve) => setTimeout(resolve, 100));
        const until = performance.now() + 1_500;
        while (performance.now() < until);
      });
      while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      stop();
    }
    expect(told[0]?.facts['stages']).toContainEqual({ stage: 'reason', runId: 'r1' });
    expect(told[0]?.facts['ms']).toBeGreaterThanOrEqual(1_000);
  });
});
