import { CasefileError } from '@casefile/contracts';
import { pause, until } from '@casefile/contracts/testing';
import { anAnswer, aQuestion, aWork, journalBench, type BenchOptions } from './testing/journal-bench.js';

const DEADLINE_MS = 5_000;

/** A bench whose limits let each call wait, and whose calls take a time. */
function waitingBench(waitMs: number, over: Partial<BenchOptions> = {}) {
  const bench: ReturnType<typeof journalBench> = journalBench({
    limiter: { enter: async () => (bench.clock.advance(waitMs), () => undefined) },
    ...over,
  });
  return bench;
}

describe('the deadline of a model call', () => {
  it('E-13 does not count the wait for a limit, for the database, or between the draw and the first call', async () => {
    const bench = waitingBench(DEADLINE_MS - 1, {
      intend: () => (bench.clock.advance(60_000), true),
    });
    const { deadlineAt } = bench.journal.draw(DEADLINE_MS);
    bench.clock.advance(DEADLINE_MS - 1);
    await expect(bench.journal.call(1, aQuestion, deadlineAt)).resolves.toMatchObject({ content: 'yes' });
    const left = bench.journal.draw(DEADLINE_MS).deadlineAt! - bench.clock.now();
    expect(left).toBe(DEADLINE_MS);
  });

  it('E-13 covers all retries with their back-off, and the questions that follow under the same draw', async () => {
    const bench = waitingBench(3_000, {
      attempts: { attempts: 9, firstWaitMs: 2_000, waitJitter: 0 },
      models: { fake: () => Promise.reject(new CasefileError('network', 'cut')) },
    });
    const { deadlineAt } = bench.journal.draw(DEADLINE_MS);
    const call = bench.journal.call(1, aQuestion, deadlineAt);
    await expect(call).rejects.toMatchObject({ reasonCode: 'network' });
    // The next back-off of 4 s would pass the 5 s, of which 2 s are used.
    expect([bench.calls.length, bench.waits]).toEqual([2, [2_000]]);
    bench.clock.advance(DEADLINE_MS - 2_000);
    await expect(bench.journal.call(2, aQuestion, deadlineAt)).rejects.toMatchObject({
      reasonCode: 'timeout',
    });
    expect(bench.calls).toHaveLength(2);
  });

  it('E-13 counts waits of concurrent calls as one, because they pass at the same time', async () => {
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => (pass = resolve));
    let waiting = 0;
    const enter = async () => {
      waiting += 1;
      await passed;
      return () => undefined;
    };
    const { journal, clock } = journalBench({ limiter: { enter } });
    const drawn = journal.draw(DEADLINE_MS).deadlineAt!;
    const calls = [1, 2].map((step) => journal.call(step, aQuestion, drawn));
    await until('both calls wait', () => waiting === 2);
    clock.advance(4_000);
    pass();
    await Promise.all(calls);
    expect(journal.draw(DEADLINE_MS).deadlineAt! - drawn).toBe(4_000);
  });

  it('E-13 names no negative time, also if a crashed worker left a deadline in the past', async () => {
    const bench = waitingBench(1_000, {
      work: aWork([{ state: 'ambiguous', draw: { seed: 'a', deadlineAt: 1 } }]),
      models: { fake: () => new Promise(() => undefined) },
    });
    const call = bench.journal.call(1, aQuestion, bench.clock.now() + 20);
    await expect(call).rejects.toMatchObject({ message: 'no answer within 20 ms' });
  });

  it('R12 is moved by the time in which the process was frozen, and the call is asked again', async () => {
    const frozen: (() => Promise<never>)[] = [];
    const bench = journalBench({
      standsStillMs: 30_000,
      attempts: { firstWaitMs: 1 },
      models: {
        fake: () => frozen.shift()?.() ?? Promise.resolve(anAnswer()),
      },
    });
    frozen.push(() => {
      bench.clock.advance(30_000);
      return Promise.reject(new CasefileError('timeout', 'its time passed in the frozen process'));
    });
    const { deadlineAt } = bench.journal.draw(DEADLINE_MS);
    await expect(bench.journal.call(1, aQuestion, deadlineAt)).resolves.toMatchObject({ content: 'yes' });
    expect([bench.calls.length, bench.failed]).toEqual([2, []]);
  });

  it('R12 lets an answer be read that arrived before a late timer', async () => {
    const bench = journalBench({
      models: {
        fake: async () => {
          bench.clock.advance(10_000);
          await pause(60, 'the timer of the call is over before the answer is read');
          return anAnswer();
        },
      },
    });
    const call = bench.journal.call(1, aQuestion, bench.clock.now() + 50);
    await expect(call).resolves.toMatchObject({ content: 'yes' });
  });
});
