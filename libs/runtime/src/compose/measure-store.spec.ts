import { noTelemetry, type Labels, type Queue } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { METRICS } from '@casefile/telemetry';
import { measureQueues } from './measure-store.js';

it('shows depth and oldest age of each queue, with one look at the store a scrape', async () => {
  let looks = 0;
  const depth = { queue: 'reason', waiting: 3, active: 1, delayed: 0, failed: 2, oldestMs: 4_500 };
  const queue = { depths: async () => ((looks += 1), [depth]) } as unknown as Queue;
  const gauges: { name: string; labels: Labels; read: () => number | Promise<number> }[] = [];
  const telemetry = {
    ...noTelemetry,
    gauge: (name: string, read: () => number | Promise<number>, labels: Labels = {}) => {
      gauges.push({ name, labels, read });
      return () => undefined;
    },
  };
  const clock = manualClock();
  measureQueues(queue, ['reason'], telemetry, clock);
  const value = (name: string, state?: string) =>
    gauges.find((g) => g.name === name && g.labels['state'] === state)?.read();
  expect(await value(METRICS.queueJobs, 'waiting')).toBe(3);
  expect(await value(METRICS.queueJobs, 'failed')).toBe(2);
  expect(await value(METRICS.queueOldest)).toBe(4.5);
  expect(looks).toBe(1);
  clock.advance(2_000);
  await value(METRICS.queueJobs, 'waiting');
  expect(looks).toBe(2);
});
