import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { researchOutcomeSchema, type ResearchOutcome } from '@casefile/contracts';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../../../testing/five-services.js';
import { playResearch, RESEARCH_CALLS } from '../../../testing/research-simulator.js';
import { ended } from '../../../testing/world.js';

const SAMPLES = new URL('../../../../../../samples/', import.meta.url);
const ASKING = 10;
const ASK = `const [url, body] = process.argv.slice(1);
fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(async (answer) =>
  console.log(JSON.stringify({ status: answer.status, ...(await answer.json()) })));`;

describe('the same question of many at once', () => {
  let system: FiveServices;
  let simulator: Simulator;
  beforeAll(async () => {
    system = await fiveServices({
      answer: playResearch(200),
      settings: { evidence: { pages: fileURLToPath(new URL('pages.json', SAMPLES)) } },
      // Two of those that look for an answer that is there or under way.
      services: [...FIVE_SERVICES, 'evidence-collector'],
    });
    ({ simulator } = system);
    await system.start();
  }, 400_000);
  afterAll(() => system.close());

  const ask = (payload: object) =>
    new Promise<{ status: number; caseId: string }>((resolve, reject) => {
      const url = `${system.service('ingest').url}/v1/research?wait=300`;
      const child = spawn(process.execPath, ['-e', ASK, url, JSON.stringify(payload)]);
      let [output, errors] = ['', ''];
      child.stdout.on('data', (data) => (output += String(data)));
      child.stderr.on('data', (data) => (errors += String(data)));
      child.on('error', reject);
      child.on('exit', () =>
        output === '' ? reject(new Error(errors)) : resolve(JSON.parse(output) as never),
      );
    });
  const outcomeOf = async (caseId: string): Promise<ResearchOutcome> =>
    researchOutcomeSchema.parse((await ended(system, caseId)).runs[0]?.verdict?.outcome);
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
