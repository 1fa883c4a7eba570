import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { rowsIn, runCasefile } from '../../../testing/run-casefile.js';

const SAMPLES = new URL('../../../../../../samples/', import.meta.url).pathname;
const POLICY = join(SAMPLES, 'policies', 'claims-handling.md');

interface Labelled {
  id: string;
  policy: string;
  criteria: { id: string; text: string }[];
  expected: { status: string; criteria: { id: string; status: string }[] };
  combine?: JsonObject;
}
const sampleCases = JSON.parse(readFileSync(join(SAMPLES, 'policy-cases.json'), 'utf8')) as Labelled[];
/** A few criteria of a few cases, so that it is soon over. */
const few = [
  { of: 0, criteria: ['notice', 'estimates'] },
  { of: 5, criteria: ['documents'] },
].map(({ of, criteria }): Labelled => {
  const { expected, ...bundle } = sampleCases[of]!;
  const chosen = <T extends { id: string }>(list: T[]) => list.filter(({ id }) => criteria.includes(id));
  const labels = { ...expected, status: 'MET', criteria: chosen(expected.criteria) };
  return { ...bundle, criteria: chosen(bundle.criteria), expected: labels, combine: { rule: 'all' } };
});

describe('casefile eval of policy checks', () => {
  let simulator: Simulator;
  let database: TestDatabase;
  let dir: string;
  const savedEnv = { ...process.env };
  beforeAll(async () => {
    simulator = await startSimulator();
    database = await testDatabase();
    dir = temporaryFolder('policy-eval');
    Object.assign(process.env, {
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      CASEFILE_DATA: dir,
      LOG_LEVEL: 'fatal',
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: `${simulator.origin}/v1`,
    });
    writeFileSync(join(dir, 'cases.json'), JSON.stringify(few));
  });
  afterAll(async () => {
    process.env = savedEnv;
    await simulator.close();
    await database.drop();
  });

  const rows = (query: string) => rowsIn(database.url, query);
  const evaluate = (...more: string[]) => {
    const results = join(dir, 'results.jsonl');
    const dataset = more.includes('--dataset') ? [] : ['--dataset', join(dir, 'cases.json')];
    return runCasefile(
      'eval',
      '--direct',
      '--playbook',
      'policy-check',
      ...dataset,
      '--results',
      results,
      '--json',
      ...more,
    );
  };

  it('says how to import a policy that is neither in the store nor next to the cases', async () => {
    const { code, errors, lines } = await evaluate();
    expect([code, lines]).toEqual([1, []]);
    expect(errors.join()).toContain('casefile import policy FILE --id claims-handling');
    expect(simulator.calls().byKind).toEqual({});
  });

  it('S4-40 imports the policy next to the cases, and measures the rules without a call of a model', async () => {
    mkdirSync(join(dir, 'policies'));
    cpSync(POLICY, join(dir, 'policies', 'claims-handling.md'));
    const out = join(dir, 'kept');
    const { code, lines, errors } = await evaluate('--rules', '--out', out);
    expect([code, errors]).toEqual([
      0,
      [expect.stringContaining('judging in this process'), expect.stringContaining(`wrote ${out}`)],
    ]);
    const [file] = readdirSync(out).filter((name) => name.endsWith('.json'));
    const kept = JSON.parse(readFileSync(join(out, file!), 'utf8')) as object;
    expect(kept).toMatchObject({ kind: 'policy-check', set: { name: 'cases.json' }, cost: { calls: 0 } });
    expect(readFileSync(join(out, 'index.md'), 'utf8')).toContain('eval --playbook policy-check --dataset');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      result: kept,
      cases: 2,
      criteria: 3,
      unanswered: 0,
      unfinished: 0,
      decisions: { metForNotMet: 0, notMetForMet: 0 },
      tokens: { total: 0 },
      cost: { calls: 0 },
      iterations: { distribution: { 0: 3 } },
    });
    expect(await rows('select policy_id, version from policy_versions')).toEqual([
      { policy_id: 'claims-handling', version: 1 },
    ]);
  });

  it('S4-03 S4-21 measures an agent that looks things up by turns, and continues where it was', async () => {
    const { code, lines, errors } = await evaluate();
    expect([code, errors]).toEqual([0, [expect.stringContaining('judging in this process')]]);
    const found = JSON.parse(lines[0]!) as Record<string, Record<string, unknown>>;
    expect(found).toMatchObject({ cases: 2, criteria: 3, unanswered: 0, unfinished: 0, degraded: 0 });
    expect(found['iterations']?.['mean']).toBeGreaterThan(2);
    expect(found['tokens']?.['search']).toBeGreaterThan(0);
    expect(found['tokens']?.['max']).toBeGreaterThanOrEqual(found['tokens']?.['mean'] as number);
    expect(found['citations']).toMatchObject({ verified: { rate: 1 } });
    // Each case keeps its label, by which a batch over the set is measured too.
    expect(
      await rows('select "by", outcome::text as said, count(*)::int as n from feedback group by 1, 2'),
    ).toEqual([{ by: 'data set cases.json', said: '{"status":"MET"}', n: 4 }]);
    // Two by the rules, two by the agent.
    const kept =
      'select c.dataset, r.lane, count(*)::int as n from cases c join runs r on r.case_id = c.id group by 1, 2';
    expect(await rows(kept)).toEqual([{ dataset: 'cases.json', lane: 'batch', n: 4 }]);

    const calls = simulator.calls().byKind;
    expect(found['cost']?.['calls']).toBe(Object.values(calls).reduce((a, b) => a + b, 0));
    const again = await evaluate();
    expect(JSON.parse(again.lines[0]!)).toEqual(found);
    expect(again.errors.join()).toContain('2 of 2 are judged already');
    expect(simulator.calls().byKind).toEqual(calls);
    // Two of the rules, two of the agent.
    expect(readFileSync(join(dir, 'results.jsonl'), 'utf8').trim().split(/\n+/)).toHaveLength(4);
  });

  it('S4-38 the sample cases stay within 6,000 tokens a criterion, so that a hard limit ends none', async () => {
    const all = ['--dataset', join(SAMPLES, 'policy-cases.json'), '--results', join(dir, 'all.jsonl')];
    const { lines } = await evaluate(...all);
    const found = JSON.parse(lines[0]!) as Record<'tokens' | 'citations', Record<string, number>>;
    expect(found.tokens['p50']).toBeLessThanOrEqual(5_000);
    expect(found.tokens['p95']).toBeLessThanOrEqual(6_000);
    expect(found).toMatchObject({ cases: 10, criteria: 32, citations: { verified: { rate: 1 } } });
  });

  it('shows no model what is expected of a case', async () => {
    const marked = few.map((one) => ({ ...one, id: `${one.id}-marked` }));
    const secret = 'zzexpectedzz';
    for (const { expected } of marked)
      Object.assign(expected.criteria[0]!, { citations: [{ section: secret, quote: secret }] });
    const path = join(dir, 'marked.json');
    writeFileSync(path, JSON.stringify(marked));
    expect((await evaluate('--dataset', path)).code).toBe(0);
    const asked = JSON.stringify(simulator.requests());
    expect(asked).toContain('facts_get');
    expect(asked).not.toContain(secret);
  });

  it('S4-21 citations that do not hold are counted as given, not as verified', async () => {
    simulator.setScript({ then: { kind: 'agent', fault: 'bad-citations' } });
    const { lines } = await evaluate('--results', join(dir, 'bad.jsonl'), '--limit', '1');
    simulator.setScript({});
    const found = JSON.parse(lines[0]!) as { citations: { verified: { of: number; part: number } } };
    expect(found.citations.verified.of).toBeGreaterThan(found.citations.verified.part);
    expect(found).toMatchObject({ cases: 1, decisions: { right: { of: 0 } } });
  });

  it('leaves a policy of the store as it is, and says so when the file next to the cases is another', async () => {
    writeFileSync(join(dir, 'policies', 'claims-handling.md'), `${readFileSync(POLICY, 'utf8')}\nMore.\n`);
    const { code, errors } = await evaluate('--strategy', 'heuristic');
    expect([code, errors.join()]).toEqual([0, expect.stringContaining('was not imported from')]);
    expect(await rows('select version from policy_versions')).toEqual([{ version: 1 }]);
  });

  it('names options that are for another kind of set', async () => {
    const { code, errors } = await evaluate('--format', 'jsonl', '--categories', 'x.json');
    expect([code, errors.join()]).toEqual([1, expect.stringMatching(/--format[^]*--categories/)]);
    const unknown = await runCasefile('eval', '--playbook', 'message-screening', '--set', 'none');
    expect([unknown.code, unknown.errors.join()]).toEqual([1, expect.stringMatching(/--set.*seen.*unseen/)]);
    const both = await evaluate('--rules', '--strategy', 'heuristic', '--set', 'seen');
    expect([both.code, both.errors.join()]).toEqual([1, expect.stringMatching(/--set[^]*--rules/)]);
  });
});
