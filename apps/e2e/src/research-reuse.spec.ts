import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { researchOutcomeSchema, type CaseStore, type ResearchOutcome } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { createPostgresStore } from '@casefile/store';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { playResearch, RESEARCH_CALLS } from './testing/research-simulator.js';
import { serviceProcesses, type ServiceProcess } from './testing/service-processes.js';

// Two of those that look for an answer that is there or under way.
const SERVICES = [
  'ingest',
  'evidence-collector',
  'evidence-collector',
  'reasoner',
  'critic-writer',
  'decision',
] as const;
const SAMPLES = new URL('../../../samples/', import.meta.url);
const ASKING = 10;
const ASK = `const [url, body] = process.argv.slice(1);
fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(async (answer) =>
  console.log(JSON.stringify({ status: answer.status, ...(await answer.json()) })));`;

describe('the same question of many at once', () => {
  let [database, store, simulator]: [TestDatabase, CaseStore, Simulator] = [] as never;
  let services: ServiceProcess[] = [];
  beforeAll(async () => {
    const folder = temporaryFolder('reuse');
    const config = join(folder, 'config.yaml');
    writeFileSync(config, `evidence: { pages: '${fileURLToPath(new URL('pages.json', SAMPLES))}' }\n`);
    database = await testDatabase();
    store = createPostgresStore({ databaseUrl: database.url, poolSize: 2 });
    simulator = await startSimulator({ answer: playResearch(200) });
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
    await simulator?.close();
    await store?.close();
    await database?.drop();
  });

  const ask = (payload: object) =>
    new Promise<{ status: number; caseId: string }>((resolve, reject) => {
      const url = `${services[0]!.url}/v1/research?wait=300`;
      const child = spawn(process.execPath, ['-e', ASK, url, JSON.stringify(payload)]);
      let [told, failed] = ['', ''];
      child.stdout.on('data', (data) => (told += String(data)));
      child.stderr.on('data', (data) => (failed += String(data)));
      child.on('error', reject);
      child.on('exit', () => (told === '' ? reject(new Error(failed)) : resolve(JSON.parse(told) as never)));
    });
  const outcomeOf = async (caseId: string): Promise<ResearchOutcome> =>
    researchOutcomeSchema.parse((await store.record.getCase(caseId))?.runs[0]?.verdict?.outcome);
  const [{ payload }] = JSON.parse(readFileSync(new URL('research.json', SAMPLES), 'utf8')) as [
    { payload: { query: string; items: object[] } },
  ];

  it('S5-51 is paid for once when ten processes ask at once, and nine point to its origin and its end', async () => {
    const answers = await Promise.all(Array.from({ length: ASKING }, () => ask(payload)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: ASKING }, () => 200));
    expect(simulator.calls().total).toBe(RESEARCH_CALLS.length);
    const outcomes = await Promise.all(answers.map(({ caseId }) => outcomeOf(caseId)));
    const origin = answers[outcomes.findIndex(({ reused }) => reused === undefined)]!;
    const pointers = outcomes.flatMap(({ reused }) => reused ?? []);
    expect(pointers).toHaveLength(ASKING - 1);
    for (const { caseId, expiresAt } of pointers) {
      expect(caseId).toBe(origin.caseId);
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    }
    const [first, ...others] = outcomes.map(({ items }) => items.map(({ url: _, ...item }) => item));
    for (const items of others) expect(items).toEqual(first);
  });

  it('S5-51 is taken over whatever the order of its sources, and asked anew of others or in other words', async () => {
    const before = simulator.calls().total;
    const turned = await outcomeOf((await ask({ ...payload, items: payload.items.toReversed() })).caseId);
    expect([turned.reused === undefined, simulator.calls().total]).toEqual([false, before]);
    for (const other of [
      { ...payload, items: payload.items.slice(1) },
      { ...payload, query: `${payload.query}？` },
      { ...payload, sourceMode: 'discovery' },
    ])
      expect((await outcomeOf((await ask(other)).caseId)).reused).toBeUndefined();
    expect(simulator.calls().total).toBeGreaterThan(before);
  });
});
