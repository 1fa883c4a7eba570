import type { CaseDocument, Interaction } from '@casefile/contracts';
import { STORM } from '@casefile/llm-simulator/script';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { configuredWorld, type ConfiguredWorld } from '../testing/configured-world.js';

const anAlert = (i: number) => ({
  playbook: 'scam-verdict',
  text: `Offer ${i}: pay the fee now at http://parcel-${i}.example`,
  collect: false,
});

/** By hand: CASEFILE_STORM_CASES=200 npm run jest -- apps/e2e/src/storm.spec */
const cases = Number(process.env['CASEFILE_STORM_CASES'] ?? 80);

/** Returns the number of cases that the model decided, and the number per reason of a fallback. */
function endsOf(caseDocuments: CaseDocument[]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { runs } of caseDocuments) {
    const draft = runs[0]?.artifacts.find(({ artifact }) => artifact === 'draft')?.body;
    const end = String(draft?.['fallbackReason'] ?? draft?.['method']);
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

/** Deadline of cases with calls that hang: longer than a busy machine takes to make a call. */
const HANG_MS = 15_000;

const keyOf = (at: Interaction) => [at.runId, at.unit, at.stage, at.round, at.step, at.attempt].join('/');

describe('R12 a storm of provider failures', () => {
  let simulator: Simulator;
  let world: ConfiguredWorld;

  // If nothing hangs, the deadline is long enough for a busy machine.
  const start = async (yaml: string, deadlineMs = 20_000) => {
    const llm = { LLM_PROVIDER: 'simulator', LLM_BASE_URL: simulator.baseUrl };
    const own = `playbooks: { scam-verdict: { deadlineMs: ${deadlineMs} } }\n${yaml}`;
    world = await configuredWorld(own, llm);
  };
  const judge = async (cases: number): Promise<CaseDocument[]> => {
    const accepted = await Promise.all(Array.from({ length: cases }, (_, i) => world.accept(anAlert(i))));
    return world.ended(
      accepted.map(({ caseId }) => caseId),
      240_000 + 250 * cases,
    );
  };
  const statuses = (caseDocuments: CaseDocument[]) =>
    new Set(caseDocuments.map(({ runs }) => runs[0]?.status));

  beforeAll(async () => void (simulator = await startSimulator()));
  afterEach(async () => {
    simulator.reset();
    await world.close();
  });
  afterAll(() => simulator.close());

  it('lets every case end, with at most 1.6 calls a case, each of them on the record', async () => {
    simulator.setScript({ faults: { seed: 12, percent: { ...STORM, quota: 1 }, retryAfterS: 0 } });
    await start('calls: { firstWaitMs: 50, circuit: { pauseSeconds: 0.2 } }', HANG_MS);
    const found = await judge(cases);
    expect(statuses(found)).toEqual(new Set(['decided']));
    const { total, byKey, quotaRetried } = simulator.calls();
    expect(quotaRetried).toBe(0);
    const ends = endsOf(found);
    process.stdout.write(`storm: ${cases} cases ended with ${total} calls: ${JSON.stringify(ends)}\n`);
    expect(total).toBeLessThanOrEqual(1.6 * cases);
    // A quota that is spent early, which is chance here, keeps the circuit open for all that come meanwhile.
    expect(total + (ends['circuit_open'] ?? 0)).toBeGreaterThan(cases / 2);
    expect(Math.max(...Object.values(byKey))).toBe(1);
    const recorded = new Set(found.flatMap(({ runs }) => runs[0]?.interactions ?? []).map(keyOf));
    expect(Object.keys(byKey).filter((key) => !recorded.has(key))).toEqual([]);
    expect(found.some(({ runs }) => runs[0]?.verdict?.method === 'llm')).toBe(true);
  }, 300_000);

  it('never asks again where the quota is spent: the circuit opens for all, and one call probes it', async () => {
    simulator.setScript({ then: { kind: 'status', status: 429, code: 'insufficient_quota' } });
    await start('calls: { circuit: { pauseSeconds: 600 } }');
    const [first] = await judge(1);
    const rest = await judge(20);
    expect(statuses([first!, ...rest])).toEqual(new Set(['decided']));
    expect(simulator.calls()).toMatchObject({ total: 1, quotaRetried: 0 });
    expect(rest.every(({ runs }) => runs[0]?.verdict?.degraded)).toBe(true);
    expect(await world.platform.store.providers.states()).toMatchObject([
      { provider: 'simulator', state: 'open', reason: 'quota_exhausted', failures: 1 },
    ]);
  });

  it('turns to the next provider of the list, and says so on the verdict', async () => {
    const spare = await startSimulator();
    simulator.setScript({ then: { kind: 'status', status: 401 } });
    await start(
      `providers: { fallback: [spare], spare: { protocol: openai-chat, model: casefile-simulator, keyVariable: null, baseUrl: "${spare.baseUrl}", enableReasoning: false } }`,
    );
    const [found] = await judge(1);
    const run = found?.runs[0];
    expect(run?.interactions.map(({ provider, route, errorCode }) => [provider, route, errorCode])).toEqual([
      ['simulator', 'first', 'bad_key'],
      ['spare', 'fallback', null],
    ]);
    expect(run?.verdict).toMatchObject({ method: 'llm', degraded: true });
    expect(run?.verdict?.reasons.join(' ')).toContain('another one of its list answered');
    expect(run?.trace.map(({ type }) => type)).toContain('provider.fallback');
    expect(run?.settings.fallbackProviders).toEqual(['spare']);
    await spare.close();
  });

  it('holds the calls of all cases to the limits of the provider', async () => {
    simulator.setScript({ delayMs: 60 });
    await start('providers: { simulator: { limits: { concurrency: 3 } } }');
    const found = await judge(20);
    expect(statuses(found)).toEqual(new Set(['decided']));
    expect(simulator.calls().mostInFlight).toBeLessThanOrEqual(3);
    expect(found.every(({ runs }) => runs[0]?.verdict?.method === 'llm')).toBe(true);
  });

  it('spends no more than a budget has: what does not fit is said on the verdict', async () => {
    // Told early: how near to its end a budget comes depends on how many worst cases are reserved side by side.
    await start('budgets: { day: { tokens: 12000, soft: 0.3 } }');
    const found = await judge(20);
    expect(statuses(found)).toEqual(new Set(['decided']));
    const [day] = await world.platform.store.budgets.states(10);
    expect(day).toMatchObject({ key: 'day:tokens', reserved: 0, limit: 12_000, warned: true });
    expect(day!.spent).toBeLessThanOrEqual(12_000);
    const methods = found.map(({ runs }) => runs[0]?.verdict?.method);
    expect(new Set(methods)).toEqual(new Set(['llm', 'heuristic']));
    expect(simulator.calls().total).toBe(methods.filter((method) => method === 'llm').length);
    const refused = found.find(({ runs }) => runs[0]?.verdict?.method === 'heuristic')?.runs[0];
    expect(refused?.verdict?.degraded).toBe(true);
    expect(refused?.verdict?.reasons.join(' ')).toMatch(/budget/);
    expect(refused?.trace.map(({ type }) => type)).toContain('budget.exhausted');
  });
});
