import { CasefileError, UnusableAnswer, type LanguageModel, reasonCodeOf } from '@casefile/contracts';
import { anAnswer, aQuestion, aWork, journalBench } from './testing/journal-bench.js';

const fails = (code: string, retryAfterMs?: number) => () =>
  Promise.reject(
    new CasefileError(
      reasonCodeOf(code),
      `it said ${code}`,
      retryAfterMs === undefined ? {} : { retryAfterMs },
    ),
  );
const answers = async () => anAnswer();
/** Follows a script, and then repeats its last entry. */
function script(...steps: LanguageModel['complete'][]): LanguageModel['complete'] {
  let at = 0;
  return (request, call) => steps[Math.min(at++, steps.length - 1)]!(request, call);
}
const budgetRefusal = () => {
  throw new CasefileError('budget_exhausted', 'full', { details: { key: 'day:usd', window: '2026-01-05' } });
};

describe('attempts at one step', () => {
  it('R12 are made until one is answered, each with an intent before and its result after', async () => {
    const bench = journalBench({
      models: { fake: script(fails('server_error'), fails('network'), answers) },
    });
    expect((await bench.journal.call(1, aQuestion, null)).content).toBe('yes');
    expect(bench.intents.map((intent) => intent.interaction.attempt)).toEqual([1, 2, 3]);
    expect(bench.intents.map((intent) => intent.results.map((result) => result.errorCode))).toEqual([
      [],
      ['server_error'],
      ['network'],
    ]);
    expect(bench.journal.takeResults().map((result) => result.state)).toEqual(['completed']);
    expect(bench.waits).toHaveLength(2);
  });

  it('R12 are bounded', async () => {
    const bench = journalBench({ models: { fake: fails('server_error') } });
    await expect(bench.journal.call(1, aQuestion, null)).rejects.toMatchObject({
      reasonCode: 'server_error',
    });
    expect(bench.calls).toHaveLength(3);
  });

  it('R12 are not made when the provider has had its share of further ones', async () => {
    const bench = journalBench({ models: { fake: fails('network'), spare: answers }, retry: () => false });
    await bench.journal.call(1, aQuestion, null);
    expect(bench.calls).toEqual(['fake r//reason/1/1/1', 'spare r//reason/1/1/2']);
  });

  it('R12 earn further ones when the first is made, and only then', async () => {
    const failing = journalBench({ models: { fake: script(fails('network'), answers) } });
    await failing.journal.call(1, aQuestion, null);
    expect([failing.calls.length, failing.earned]).toEqual([2, ['fake']]);
    const circuits = { permit: async () => ({ goes: false as const, waitMs: 10, reason: 'network' }) };
    const open = journalBench({ circuits });
    await expect(open.journal.call(1, aQuestion, null)).rejects.toMatchObject({ reasonCode: 'circuit_open' });
    expect(open.earned).toEqual([]);
    const resumed = journalBench({ work: aWork([{ state: 'ambiguous' }]) });
    await resumed.journal.call(1, aQuestion, null);
    expect([resumed.calls.length, resumed.earned]).toEqual([1, []]);
  });

  it.each(['quota_exhausted', 'bad_key'])(
    'R12 are never made again after %s; the circuit hears of it',
    async (code) => {
      const bench = journalBench({ models: { fake: fails(code, 10) } });
      await expect(bench.journal.call(1, aQuestion, null)).rejects.toMatchObject({ reasonCode: code });
      expect(bench.calls).toHaveLength(1);
      expect(bench.failed.map((error) => error.reasonCode)).toEqual([code]);
    },
  );

  it.each([
    [0, ['network', 'network', 'network']],
    [5_000, []],
  ])(
    'R12 are held against the provider unless the process stood still: %i ms',
    async (standsStillMs, counted) => {
      const bench = journalBench({ standsStillMs, models: { fake: fails('network') } });
      await expect(bench.journal.call(1, aQuestion, null)).rejects.toMatchObject({ reasonCode: 'network' });
      expect(bench.calls).toHaveLength(3);
      expect(bench.failed.map((error) => error.reasonCode)).toEqual(counted);
    },
  );

  it('wait for Retry-After at least', async () => {
    const bench = journalBench({ models: { fake: script(fails('rate_limited', 2_000), answers) } });
    await bench.journal.call(1, aQuestion, null);
    expect(bench.waits[0]).toBeGreaterThanOrEqual(2_000);
  });

  it('give up at once when the wait would pass the deadline', async () => {
    const bench = journalBench({ models: { fake: fails('rate_limited', 6_000) } });
    const call = bench.journal.call(1, aQuestion, bench.clock.now() + 5_000);
    await expect(call).rejects.toMatchObject({ reasonCode: 'rate_limited', retryAfterMs: 6_000 });
    expect([bench.calls.length, bench.waits]).toEqual([1, []]);
  });

  it('wait the same after a crash: the jitter is drawn from the recorded seed', async () => {
    const waits = async () => {
      const bench = journalBench({
        models: { fake: fails('network') },
        work: aWork([{ state: 'ambiguous' }]),
      });
      await bench.journal.call(1, aQuestion, null).catch(() => undefined);
      return bench.waits;
    };
    expect(await waits()).toEqual(await waits());
    expect((await waits())[0]).toBeGreaterThan(0);
  });

  it('R3 go on counting from the record after a crash', async () => {
    const work = aWork([
      { attempt: 1, state: 'failed', errorCode: 'network' },
      { attempt: 2, state: 'ambiguous' },
    ]);
    const bench = journalBench({ work, models: { fake: fails('network') } });
    await expect(bench.journal.call(1, aQuestion, null)).rejects.toMatchObject({ reasonCode: 'network' });
    expect(bench.calls).toEqual(['fake r//reason/1/1/3']);
  });

  it('begin again when a run has waited for its provider', async () => {
    const work = aWork(
      [1, 2, 3].map((attempt) => ({ attempt, state: 'failed' as const, errorCode: 'network' })),
      { onOutage: 'later' },
    );
    const bench = journalBench({ work, models: { fake: script(fails('network'), answers) } });
    expect((await bench.journal.call(1, aQuestion, null)).content).toBe('yes');
    expect(bench.intents.map((intent) => intent.interaction.attempt)).toEqual([4, 5]);
  });

  it('are not made while the circuit is open, and say how long that is', async () => {
    const circuits = { permit: async () => ({ goes: false as const, waitMs: 7_000, reason: 'bad_key' }) };
    const bench = journalBench({ circuits });
    const call = bench.journal.call(1, aQuestion, null);
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reasonCode: 'circuit_open' });
    expect((error as CasefileError).retryAfterMs).toBeGreaterThanOrEqual(7_000);
    expect((error as CasefileError).retryAfterMs).toBeLessThanOrEqual(12_000);
    expect([bench.calls, bench.intents]).toEqual([[], []]);
  });

  it('are not made when the shared limits have no room in time', async () => {
    const limiter = { enter: fails('rate_limited', 30_000) };
    const bench = journalBench({ limiter });
    const call = bench.journal.call(1, aQuestion, bench.clock.now() + 5_000);
    await expect(call).rejects.toMatchObject({ reasonCode: 'rate_limited', retryAfterMs: 30_000 });
    expect([bench.calls, bench.intents]).toEqual([[], []]);
  });

  it.each([
    [1_000, []],
    [4_000, ['timeout']],
  ])('of %d ms that run out count for the circuit only when they had a fair time', async (took, counted) => {
    const bench = journalBench({
      attempts: { attempts: 1 },
      models: { fake: async () => (bench.clock.advance(took), fails('timeout')()) },
    });
    await bench.journal.call(1, aQuestion, null).catch(() => undefined);
    expect(bench.failed.map((error) => error.reasonCode)).toEqual(counted);
  });

  it('end when the lease is lost while they wait', async () => {
    const stop = new AbortController();
    const bench = journalBench({ models: { fake: fails('network') }, stop });
    bench.clock.advance = () => stop.abort(new CasefileError('stale_lease', 'gone'));
    await expect(bench.journal.call(1, aQuestion, null)).rejects.toMatchObject({ reasonCode: 'stale_lease' });
    expect(bench.calls).toHaveLength(1);
  });

  it('R17 hand on what was answered, also when they were told to stop meanwhile', async () => {
    const stop = new AbortController();
    const succeeded = async () => stop.abort(new CasefileError('stopping', 'the process is stopping'));
    const bench = journalBench({ stop, circuits: { succeeded } });
    expect((await bench.journal.call(1, aQuestion, null)).content).toBe('yes');
    expect(bench.journal.takeResults().map((result) => result.state)).toEqual(['completed']);
  });

  it('leave an answer that is bad, not missing, to the strategy', async () => {
    const refused = () => Promise.reject(new UnusableAnswer('refused', 'no', anAnswer()));
    const bench = journalBench({ models: { fake: refused, spare: answers } });
    await expect(bench.journal.call(1, aQuestion, null)).rejects.toMatchObject({ reasonCode: 'refused' });
    expect(bench.calls).toHaveLength(1);
  });
});

describe('the list of providers', () => {
  it('is gone through in its order, on the record and with a remark', async () => {
    const models = { fake: fails('bad_key'), second: fails('network'), third: answers };
    const bench = journalBench({ models });
    await bench.journal.call(1, aQuestion, null);
    expect(bench.intents.map(({ interaction }) => [interaction.provider, interaction.route])).toEqual([
      ['fake', 'first'],
      ['second', 'fallback'],
      ['second', 'fallback'],
      ['second', 'fallback'],
      ['third', 'fallback'],
    ]);
    expect(bench.intents.map(({ interaction }) => interaction.attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(bench.journal.events).toMatchObject([
      { type: 'provider.fallback', data: { step: 1, from: 'fake', to: 'second', reasonCode: 'bad_key' } },
      { type: 'provider.fallback', data: { step: 1, from: 'second', to: 'third', reasonCode: 'network' } },
    ]);
    expect([...bench.journal.remarks]).toEqual(['fallback_provider']);
  });

  it('is turned to when the first circuit is open', async () => {
    const permit = async (provider: string) =>
      provider === 'fake' ? { goes: false as const, waitMs: 1, reason: null } : { goes: true as const };
    const bench = journalBench({ models: { fake: answers, spare: answers }, circuits: { permit } });
    await bench.journal.call(1, aQuestion, null);
    expect(bench.calls).toEqual(['spare r//reason/1/1/1']);
  });

  it('gives each the time that is left for it: one that hangs does not take it all', async () => {
    const never = () => new Promise<never>(() => undefined);
    const bench = journalBench({ models: { fake: never, spare: answers } });
    const response = await bench.journal.call(1, aQuestion, bench.clock.now() + 40);
    expect(response.content).toBe('yes');
  });

  it('says, when all are out, why the first was and when the soonest may be back', async () => {
    const bench = journalBench({
      models: { fake: fails('rate_limited', 60_000), spare: fails('network', 20_000) },
    });
    const call = bench.journal.call(1, aQuestion, null);
    await expect(call).rejects.toMatchObject({ reasonCode: 'rate_limited', retryAfterMs: 20_000 });
  });

  it('is remembered on a second rendering', async () => {
    const work = aWork([{ state: 'completed', content: 'recorded', route: 'fallback' }]);
    const bench = journalBench({ work });
    await bench.journal.call(1, aQuestion, null);
    expect([...bench.journal.remarks]).toEqual(['fallback_provider']);
  });
});

describe('budgets of a step', () => {
  const DAY = { day: { usd: 1, soft: 0.8 }, playbook: {}, lane: {} };
  const worstCase = () => ({ tokens: 1_000, usd: 0.25 });

  it('are reserved at the worst case with the intent and settled with the result', async () => {
    const bench = journalBench({ budgets: DAY, worstCase });
    await bench.journal.call(1, aQuestion, null);
    expect(bench.intents[0]?.reservations).toEqual([
      {
        key: 'day:usd',
        window: '2026-01-05',
        measure: 'usd',
        amount: 250_000,
        limit: 1_000_000,
        softAt: 800_000,
      },
    ]);
    expect(bench.journal.takeResults()[0]?.charge).toEqual({ usd: 100_000, tokens: 2 });
  });

  it('settle a call of unknown cost at its worst case, a refusal at nothing', async () => {
    const models = { fake: script(fails('network'), fails('server_error'), fails('timeout')) };
    const bench = journalBench({ models, budgets: DAY, worstCase });
    await bench.journal.call(1, aQuestion, null).catch(() => undefined);
    const charges = [...bench.intents.flatMap((intent) => intent.results), ...bench.journal.takeResults()];
    expect(charges.map((result) => result.charge)).toEqual([
      { usd: null, tokens: null },
      { usd: 0, tokens: 0 },
      { usd: null, tokens: null },
    ]);
  });

  it('without room turn to the cheaper model, and say so', async () => {
    const bench = journalBench({
      cheaper: answers,
      intend: ({ interaction }) => interaction.model !== 'm' || budgetRefusal(),
    });
    await bench.journal.call(1, aQuestion, null);
    expect(bench.calls).toHaveLength(1);
    expect(bench.intents.map(({ interaction }) => [interaction.model, interaction.route])).toEqual([
      ['m-small', 'cheaper'],
    ]);
    expect(bench.journal.events).toMatchObject([
      { type: 'budget.exhausted', data: { model: 'm', key: 'day:usd', window: '2026-01-05' } },
    ]);
    expect([...bench.journal.remarks]).toEqual(['cheaper_model']);
  });

  it('without room for any model end the step', async () => {
    const bench = journalBench({ cheaper: answers, intend: budgetRefusal });
    await expect(bench.journal.call(1, aQuestion, null)).rejects.toMatchObject({
      reasonCode: 'budget_exhausted',
    });
    expect(bench.calls).toEqual([]);
    expect(bench.journal.events.map(({ type }) => type)).toEqual([
      'budget.exhausted',
      'budget.exhausted',
      'interaction.refused',
    ]);
  });

  it('of money refuse a model whose price is not known', async () => {
    const bench = journalBench({ budgets: DAY });
    await expect(bench.journal.call(1, aQuestion, null)).rejects.toThrow(/fake\/m/);
    expect(bench.calls).toEqual([]);
  });
});
