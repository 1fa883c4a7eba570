import type { CaseStore } from '@casefile/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { createPostgresStore } from '@casefile/store';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { until } from './testing/until.js';
import { playResearch, RESEARCH_CALLS } from './testing/research-simulator.js';
import { serviceProcesses, type ServiceProcess } from './testing/service-processes.js';
import { ended } from './testing/world.js';

const SERVICES = ['ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'] as const;
/** How long a call of the model takes, so that a process can be killed while it is under way. */
const CALL_MS = 400;
const SAMPLES = new URL('../../../samples/', import.meta.url);

describe('a research outlives its workers', () => {
  let database: TestDatabase;
  let store: CaseStore;
  let simulator: Simulator;
  let services: ServiceProcess[];
  const service = (name: (typeof SERVICES)[number]) => services.find((one) => one.name === name)!;
  beforeAll(async () => {
    const folder = temporaryFolder('research');
    const config = join(folder, 'config.yaml');
    const pages = fileURLToPath(new URL('pages.json', SAMPLES));
    // A lease of a second: whoever takes over does so soon.
    writeFileSync(
      config,
      `lease: { seconds: 1 }\nevidence: { pages: '${pages}' }\nplaybooks: { research: { reuseForMs: 0 } }\n`,
    );
    database = await testDatabase();
    store = createPostgresStore({ databaseUrl: database.url, poolSize: 2 });
    simulator = await startSimulator({ answer: playResearch(CALL_MS) });
    services = await serviceProcesses([...SERVICES], {
      databaseUrl: database.url,
      queueUrl: database.url,
      logFile: join(folder, 'services.log'),
      env: {
        LLM_PROVIDER: 'openai',
        OPENAI_BASE_URL: `${simulator.origin}/v1`,
        OPENAI_API_KEY: 'sk-made-up-0123456789abcdef',
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

  // Kills at every boundary, before calls and after them, by hand: `npm run measure -- boundary-run`.
  it('S5-70 goes on after a kill -9 at each call, and pays for no recorded one again', async () => {
    const caseId = await handIn(service('ingest').url);
    for (const [i, [stage, round, name]] of RESEARCH_CALLS.entries()) {
      const asked = () =>
        Object.entries(simulator.calls().byStep).some(
          ([key, calls]) => key.endsWith(`/${stage}/${round}/1`) && calls > 0,
        );
      await until(`${stage} of round ${round} is asked`, asked);
      // They die while the call is under way and at about the time of its answer, in turn.
      if (i % 2 === 1) await pause(CALL_MS);
      await service(name).signal('SIGKILL');
      await service(name).start();
    }
    const run = (await ended({ store }, caseId)).runs[0]!;
    expect(run.verdict).toMatchObject({
      disposition: 'act',
      outcome: { rounds: 3, converged: true, ruling: 'PASS', share: 1, sources: 7 },
    });
    for (const [stage, round] of RESEARCH_CALLS) {
      const attempts = run.interactions.filter((one) => one.stage === stage && one.round === round);
      const completed = attempts.filter(({ state }) => state === 'completed');
      expect([stage, round, completed.length]).toEqual([stage, round, 1]);
      expect(attempts.at(-1)?.state).toBe('completed');
    }
    expect(run.interactions.every(({ state }) => ['completed', 'ambiguous'].includes(state))).toBe(true);
    // Nothing was asked that is not on the record; an intent may have died before its call was made.
    expect(simulator.calls().total).toBeLessThanOrEqual(run.interactions.length);
    expect(run.toolCalls.map(({ tool, state }) => [tool, state])).toEqual([['web_search', 'succeeded']]);
  });
});

/** The first sample, of the mode strict. */
async function handIn(url: string): Promise<string> {
  const [alert] = JSON.parse(readFileSync(new URL('research.json', SAMPLES), 'utf8')) as object[];
  const response = await fetch(`${url}/v1/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alert),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { caseId: string }).caseId;
}
