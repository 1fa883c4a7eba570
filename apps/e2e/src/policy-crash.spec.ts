import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseStore, JsonObject } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { openKnowledge } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { createPostgresStore } from '@casefile/store';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { importSamplePolicy, sampleBundles } from './testing/sample-policy.js';
import { until } from './testing/until.js';
import { serviceProcesses, type ServiceProcess } from './testing/service-processes.js';
import { ended } from './testing/world.js';

const SERVICES = ['ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'] as const;
/** How long a call of the model takes, so that a process can be killed while it is under way. */
const CALL_MS = 400;
const TURNS = 3;
const UNIT = 'notice';
/** Made up; the simulator takes no other. */
const KEY = 'sk-made-up-0123456789abcdef0123456789abcdef';

describe('a policy check outlives its workers', () => {
  let database: TestDatabase;
  let store: CaseStore;
  let simulator: Simulator;
  let services: ServiceProcess[];
  let logFile: string;
  const service = (name: (typeof SERVICES)[number]) => services.find((one) => one.name === name)!;
  beforeAll(async () => {
    const folder = temporaryFolder('crash');
    const config = join(folder, 'config.yaml');
    logFile = join(folder, 'services.log');
    // A lease of a second: whoever takes over does so soon.
    writeFileSync(config, 'lease: { seconds: 1 }\n');
    database = await testDatabase();
    const opened = createPostgresStore({ databaseUrl: database.url, poolSize: 2 });
    store = opened;
    await importSamplePolicy(openKnowledge(opened.database, silentPorts()).policies);
    simulator = await startSimulator();
    services = await serviceProcesses([...SERVICES], {
      databaseUrl: database.url,
      queueUrl: database.url,
      logFile,
      env: {
        LLM_PROVIDER: 'openai',
        OPENAI_BASE_URL: `${simulator.origin}/v1`,
        OPENAI_API_KEY: KEY,
        LOG_LEVEL: 'trace',
        CASEFILE_CONFIG: config,
        CASEFILE_DATA: folder,
      },
    });
    await Promise.all(services.map((one) => one.start()));
  }, 400_000);
  afterAll(async () => {
    await Promise.all(services.map((one) => one.signal('SIGTERM')));
    await simulator.close();
    await store.close();
    await database.drop();
  });

  it('S4-06 R3 goes on after a crash at every turn, and pays for no turn that is on the record', async () => {
    simulator.setScript({
      key: KEY,
      then: { kind: 'agent', fault: 'fixed-turns', n: TURNS, delayMs: CALL_MS },
    });
    const caseId = await handIn(service('ingest').url);
    const callsOf = (step: number) =>
      Object.entries(simulator.calls().byStep).reduce(
        (sum, [key, calls]) => (key.endsWith(`/${UNIT}/reason/1/${step}`) ? sum + calls : sum),
        0,
      );
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await until(`turn ${turn} is asked`, () => callsOf(turn) > 0);
      // Odd ones die while the call is under way, even ones at about the time of its answer.
      if (turn % 2 === 0) await pause(CALL_MS);
      await service('reasoner').signal('SIGKILL');
      await service('reasoner').start();
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
    const caseId = await handIn(service('ingest').url);
    await until('the search asks a model', async () => {
      const run = (await store.record.getCase(caseId))?.runs[0];
      return (
        run?.interactions.some(({ toolCallId, state }) => Boolean(toolCallId) && state === 'pending') === true
      );
    });
    await pause(CALL_MS / 2);
    await service('evidence-collector').signal('SIGKILL');
    await service('evidence-collector').start();
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
    expect(readFileSync(logFile, 'utf8')).not.toContain(KEY);
    const pool = new pg.Pool({ connectionString: database.url });
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
async function handIn(url: string): Promise<string> {
  const bundle = sampleBundles[0]!;
  const criteria = (bundle['criteria'] as JsonObject[]).filter(({ id }) => id === UNIT);
  const payload = { ...bundle, criteria, combine: { rule: 'all' } };
  const response = await fetch(`${url}/v1/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ playbook: 'policy-check', payload }),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { caseId: string }).caseId;
}
