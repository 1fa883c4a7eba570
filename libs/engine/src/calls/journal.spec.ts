import { CasefileError, type LanguageModel } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import type { JournaledWork } from './stage-call.js';
import { anAnswer, aQuestion as request, aWork, journalBench } from './testing/journal-bench.js';

function setUp(
  work: JournaledWork,
  complete: LanguageModel['complete'],
  stop = new AbortController(),
  held = true,
) {
  return journalBench({
    work,
    models: { fake: complete },
    stop,
    intend: () => held,
    attempts: { attempts: 1 },
  });
}

const answer = async () => anAnswer();

describe('the journal of model calls', () => {
  it('writes the intent before the call and hands the result over with the next write', async () => {
    const { journal, intents, calls } = setUp(aWork(), async () => {
      expect(intents).toHaveLength(calls.length);
      return answer();
    });
    await journal.call(1, request, null);
    await journal.call(2, request, null);
    expect(calls).toEqual(['fake r//reason/1/1/1', 'fake r//reason/1/2/1']);
    expect(intents[1]?.results.map((result) => [result.state, result.content])).toEqual([
      ['completed', 'yes'],
    ]);
    expect(journal.takeResults()).toHaveLength(1);
    expect(journal.takeResults()).toHaveLength(0);
  });

  it('R3 reads a step whose answer is on the record and pays nothing', async () => {
    const { journal, calls, intents } = setUp(aWork([{ state: 'completed', content: 'recorded' }]), answer);
    expect((await journal.call(1, request, null)).content).toBe('recorded');
    expect([calls, intents, journal.replayed]).toEqual([[], [], 1]);
  });

  it('reads a recorded failure as the failure it was', async () => {
    const { journal, calls } = setUp(aWork([{ state: 'failed', errorCode: 'timeout' }]), answer);
    await expect(journal.call(1, request, null)).rejects.toMatchObject({ reasonCode: 'timeout' });
    expect(calls).toEqual([]);
  });

  it('asks again after a recorded failure when the run waits for its provider', async () => {
    const work = aWork([{ state: 'failed', errorCode: 'server_error' }]);
    const { journal, calls } = setUp({ ...work, settings: aRunSettings({ onOutage: 'later' }) }, answer);
    expect((await journal.call(1, request, null)).content).toBe('yes');
    expect(calls).toEqual(['fake r//reason/1/1/2']);
  });

  it('R3 asks again after a crash in flight, as the next attempt', async () => {
    const { journal, calls } = setUp(aWork([{ state: 'ambiguous' }]), answer);
    await journal.call(1, request, null);
    expect(calls).toEqual(['fake r//reason/1/1/2']);
  });

  it('never reuses the answer to another question: the divergence is recorded', async () => {
    const { journal, calls } = setUp(
      aWork([{ state: 'completed', content: 'old', requestHash: 'other' }]),
      answer,
    );
    expect((await journal.call(1, request, null)).content).toBe('yes');
    expect(calls).toEqual(['fake r//reason/1/1/2']);
    expect(journal.events.map((event) => event.type)).toEqual(['interaction.diverged']);
  });

  it('draws once, and after a crash has what was drawn before', () => {
    const fresh = setUp(aWork(), answer);
    const drawn = fresh.journal.draw(5_000);
    expect(drawn.deadlineAt).toBe(fresh.clock.now() + 5_000);
    fresh.clock.advance(1_000);
    expect(fresh.journal.draw(5_000)).toEqual(drawn);
    expect(setUp(aWork([{ state: 'completed' }]), answer).journal.draw(5_000)).toEqual({
      seed: 'recorded',
      deadlineAt: 123,
    });
  });

  it('E-13 moves the deadline by the time without a worker on the step since it was drawn, up to the limit', () => {
    const drawnAt = (pausedMs: number) => [{ draw: { seed: 'recorded', deadlineAt: 5_000, pausedMs } }];
    const deadline = (drawn: number, paused: number, limit: number) =>
      journalBench({
        work: { ...aWork(drawnAt(drawn)), pausedMs: paused },
        deadlinePauseMs: limit,
      }).journal.draw(5_000).deadlineAt;
    expect(deadline(0, 0, 15_000)).toBe(5_000);
    expect(deadline(0, 8_000, 15_000)).toBe(13_000);
    expect(deadline(3_000, 8_000, 15_000)).toBe(10_000);
    expect(deadline(0, 80_000, 15_000)).toBe(20_000);
    expect(deadline(0, 8_000, 0)).toBe(5_000);
  });

  it('E-13 draws a deadline of its own after a crash before the first call, and records every call with what was drawn', async () => {
    const { journal, intents, clock } = journalBench({
      work: { ...aWork(), pausedMs: 8_000 },
      deadlinePauseMs: 15_000,
    });
    expect(journal.draw(5_000).deadlineAt).toBe(clock.now() + 5_000);
    await journal.call(1, request, null);
    const [first] = intents;
    expect(first?.interaction.draw).toEqual(journal.draw(5_000));
    const draw = { seed: 'recorded', deadlineAt: 123 };
    const again = journalBench({ work: { ...aWork([{ state: 'ambiguous' }]), pausedMs: 8_000 } });
    await again.journal.call(1, request, null);
    expect(again.intents[0]?.interaction.draw).toEqual(draw);
  });

  it('makes no call when the deadline passed', async () => {
    const { journal, calls, clock } = setUp(aWork(), answer);
    await expect(journal.call(1, request, clock.now())).rejects.toMatchObject({ reasonCode: 'timeout' });
    expect(calls).toEqual([]);
  });

  it('S1-25 ends a call that never answers at the deadline, and records it as a timeout', async () => {
    const { journal, clock } = setUp(aWork(), () => new Promise(() => undefined));
    await expect(journal.call(1, request, clock.now() + 20)).rejects.toMatchObject({ reasonCode: 'timeout' });
    expect(journal.takeResults().map((result) => [result.state, result.errorCode])).toEqual([
      ['failed', 'timeout'],
    ]);
  });

  it('records a failure of the provider with its code', async () => {
    const { journal } = setUp(aWork(), () => Promise.reject(new CasefileError('rate_limited', 'slow down')));
    await expect(journal.call(1, request, null)).rejects.toMatchObject({ reasonCode: 'rate_limited' });
    expect(journal.takeResults().map((result) => result.errorCode)).toEqual(['rate_limited']);
  });

  it('R5 aborts the call when the lease is lost and leaves it for the next claim to mark', async () => {
    const stop = new AbortController();
    const { journal } = setUp(aWork(), () => new Promise(() => undefined), stop);
    const call = journal.call(1, request, null);
    await Promise.resolve();
    stop.abort(new CasefileError('stale_lease', 'gone'));
    await expect(call).rejects.toMatchObject({ reasonCode: 'stale_lease' });
    expect(journal.takeResults()).toEqual([]);
  });

  it('R5 does not call when the intent is refused', async () => {
    const { journal, calls } = setUp(aWork(), answer, new AbortController(), false);
    await expect(journal.call(1, request, null)).rejects.toMatchObject({ reasonCode: 'stale_lease' });
    expect(calls).toEqual([]);
  });
});
