import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '@casefile/contracts/testing';
import { processSharedUnits, payloadsOf, SharedJobs, type WantedJob } from './shared-jobs.js';
import { aGate } from './testing/queue-harness.js';

const wanted = (jobId: string, sharedJob?: string): WantedJob => ({
  job: { name: 'reason', data: { of: jobId }, opts: { jobId, attempts: 3 } },
  sharedJob,
});
const atOnce = (work: () => Promise<unknown>) => work();
const untold = (error: unknown) => {
  throw error;
};

describe('SharedJobs', () => {
  it('makes one job of those that share one, with the options of the first, and leaves the others alone', () => {
    const packed = new SharedJobs().pack([wanted('a', 's'), wanted('b'), wanted('c', 's'), wanted('d', 't')]);
    expect(packed).toEqual([
      wanted('b').job,
      { name: 'reason', data: { units: [{ of: 'a' }, { of: 'c' }] }, opts: { jobId: 's', attempts: 3 } },
      wanted('d').job,
    ]);
    expect(packed.flatMap(({ data }) => payloadsOf(data))).toEqual([
      { of: 'b' },
      { of: 'a' },
      { of: 'c' },
      { of: 'd' },
    ]);
  });

  it('sends no second job under an id that was sent: it would be dropped with all that it carries', () => {
    const jobs = new SharedJobs();
    jobs.pack([wanted('a', 's'), wanted('b', 's')]);
    const late = [wanted('c', 's'), wanted('d', 's')];
    expect(jobs.pack(late)).toEqual(late.map(({ job }) => job));
  });
});

describe('the work of a shared job', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('ends with the last of it, and then fails as the first of it did', async () => {
    const gate = aGate();
    let isOver = false;
    const works = [() => Promise.reject(new Error('away')), () => gate.passed];
    const end = processSharedUnits(works, atOnce, untold).finally(() => (isOver = true));
    await Promise.allSettled([nextTurn()]);
    expect(isOver).toBe(false);
    gate.open();
    await expect(end).rejects.toThrow('away');
  });

  it('does not wait for what takes more than a second once all has begun, and tells of its failure', async () => {
    const gate = aGate();
    const told: unknown[] = [];
    const slow = () => gate.passed.then(() => Promise.reject(new Error('late')));
    const end = processSharedUnits([slow, async () => undefined], atOnce, (error) => told.push(error));
    await jest.advanceTimersByTimeAsync(1_000);
    await end;
    gate.open();
    await until('the failure is reported', () => told.length > 0);
    expect(told).toEqual([new Error('late')]);
  });

  it('fails with what failed before the second was over, though another part continues', async () => {
    const gate = aGate();
    const works = [() => Promise.reject(new Error('away')), () => gate.passed];
    const end = processSharedUnits(works, atOnce, untold);
    const outcome = expect(end).rejects.toThrow('away');
    await jest.advanceTimersByTimeAsync(1_000);
    await outcome;
    gate.open();
  });

  it('waits for what has not begun, however long that takes', async () => {
    const [first, second] = [aGate(), aGate()];
    let isOver = false;
    const turn = (work: () => Promise<unknown>) => first.passed.then(work);
    const works = [async () => undefined, () => second.passed];
    const end = processSharedUnits(works, turn, untold).then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(isOver).toBe(false);
    first.open();
    second.open();
    await end;
  });
});
