import { pause, until } from '@casefile/contracts/testing';
import pg from 'pg';
import { readFileSync } from 'node:fs';
import type { CaseStore, JsonObject } from '@casefile/contracts';
import { openKnowledge } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import { fiveServices, type FiveServices } from '../../../testing/five-services.js';
import { importSamplePolicy, sampleBundles } from '../../../testing/sample-policy.js';
import { ended } from '../../../testing/world.js';

/** How long a call of the model takes, so that a process can be killed while it is under way. */
const CALL_MS = 400;
const TURNS = 3;
const UNIT = 'notice';
/** Made up; the simulator takes no other. */
const KEY = 'sk-made-up-0123456789abcdef0123456789abcdef';

describe('a policy check outlives its workers', () => {
  let system: FiveServices;
  let [store, simulator]: [CaseStore, Simulator] = [] as never;
  beforeAll(async () => {
    system = await fiveServices({
      services: 'one process',
      // A lease of a second: another worker continues soon.
      settings: { lease: { seconds: 1 } },
      env: ({ origin }) => ({
        LLM_PROVIDER: 'openai',
        OPENAI_BASE_URL: `${origin}/v1`,
        OPENAI_API_KEY: KEY,
        LOG_LEVEL: 'trace',
      }),
    });
    ({ store, simulator } = system);
    await importSamplePolicy(openKnowledge(system.store.database, silentPorts()).policies);
    await system.start();
  }, 400_000);
  afterAll(() => system.close());

  it('S4-06 R3 continues after a crash at every turn, and pays for no turn that is on the record', async () => {
    simulator.setScript({
      key: KEY,
      then: { kind: 'agent', fault: 'fixed-turns', n: TURNS, delayMs: CALL_MS },
    });
    const caseId = await handIn(system);
    const callsOf = (step: number) =>
      Object.entries(simulator.calls().byStep).reduce(
        (sum, [key, calls]) => (key.endsWith(`/${UNIT}/reason/1/${step}`) ? sum + calls : sum),
        0,
      );
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await until(`turn ${turn} is asked`, () => callsOf(turn) > 0);
      // Odd ones die while the call is under way, even ones at about the time of its answer.
      if (turn % 2 === 0) await pause(CALL_MS, 'The answer of the model is under way.');
      await system.service('reasoner').signal('SIGKILL');
      await system.service('reasoner').start();
    }
    const found = await ended({ store }, caseId);
    const run = found.runs[0]!;
    expect(run.status).toBe('decided');
    const turns = run.interactions.filter(({ stage, toolCallId }) => stage === 'reason' && !toolCallId);
    for (let step = 1; step <= TURNS; step += 1) {
      const attempts = turns.filter((one) => one.step === step);
      const states = attempts.map(({ state }) => state);
      expect([step, states.filter((state) => state === 'completed')]).toEqual([step, ['completed']]);
      expect([step, states.at(-1)]).toEqual([step, 'completed']);
      // Nothing was asked that is not on the record; an intent may have died before its call was made.
      expect([step, callsOf(step) <= attempts.length]).toEqual([step, true]);
      if (step % 2 === 1) expect([step, states]).toEqual([step, ['ambiguous', 'completed']]);
    }
    expect(simulator.calls().total).toBeLessThanOrEqual(run.interactions.length);
    expect(run.interactions.every(({ state }) => ['completed', 'ambiguous'].includes(state))).toBe(true);
  });

  it('S4-10 a search that dies while it asks a model is asked by another worker', async () => {
    simulator.reset();
    simulator.setScript({ key: KEY, then: { kind: 'agent', fault: 'fixed-turns', n: 2, delayMs: CALL_MS } });
    const caseId = await handIn(system);
    await until('the search asks a model', async () => {
      const run = (await store.record.getCase(caseId))?.runs[0];
      return (
        run?.interactions.some(({ toolCallId, state }) => Boolean(toolCallId) && state === 'pending') === true
      );
    });
    await pause(CALL_MS / 2, 'The call is under way.');
    await system.service('evidence-collector').signal('SIGKILL');
    await system.service('evidence-collector').start();
    const run = (await ended({ store }, caseId)).runs[0]!;
    expect(run.status).toBe('decided');
    const asked = run.interactions.filter(({ toolCallId }) => Boolean(toolCallId));
    expect(asked.map(({ state }) => state)).toEqual(['ambiguous', 'completed']);
    expect(
      run.toolCalls.filter(({ tool, state }) => tool === 'pi_search' && state === 'succeeded'),
    ).toHaveLength(1);
    expect(simulator.calls().total).toBeLessThanOrEqual(run.interactions.length);
  });

  it('S4-35 keeps the provider’s key out of every log and every table', async () => {
    expect(simulator.calls().byKind).toMatchObject({ agent: expect.any(Number) });
    expect(readFileSync(system.logFile, 'utf8')).not.toContain(KEY);
    const pool = new pg.Pool({ connectionString: system.databaseUrl });
    const { rows } = await pool.query<{ table_name: string }>(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { table_name: table } of rows) {
      const found = await pool.query(`select 1 from "${table}" t where t::text like $1 limit 1`, [
        `%${KEY}%`,
      ]);
      expect([table, found.rowCount]).toEqual([table, 0]);
    }
    await pool.end();
  });
});

/** One criterion of the first sample. */
function handIn(system: FiveServices): Promise<string> {
  const bundle = sampleBundles[0]!;
  const criteria = (bundle['criteria'] as JsonObject[]).filter(({ id }) => id === UNIT);
  const payload = { ...bundle, criteria, combine: { rule: 'all' } };
  return system.alert({ playbook: 'policy-check', payload });
}
