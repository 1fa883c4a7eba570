import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { consoleWith } from '@casefile/console/console';
import type { CaseDocument, JsonObject, RunDiff, z } from '@casefile/contracts';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { startService, type RunningService } from '@casefile/runtime';
import { fewOfEachKind, recordSamples } from './testing/recorded-samples.js';
import { simulatedModel } from './testing/simulated-model.js';
import { until } from '@casefile/contracts/testing';
import type { PostgresStore } from '@casefile/store';
import { realWorld, type World } from './testing/world.js';

let world: World;
let simulator: Simulator;
let service: RunningService;
let cases: CaseDocument[];

beforeAll(async () => {
  simulator = await startSimulator();
  world = await realWorld('postgres', simulatedModel(simulator));
  cases = await recordSamples(world, 1, fewOfEachKind(1, { 'scam-verdict': 3 }));
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
});
afterAll(async () => {
  await service.close();
  await world.close();
  await simulator.close();
});

async function casefile(...args: string[]): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const terminal = memoryTerminal();
  const code = await run([...args, '--console', service.url], terminal);
  return { code, lines: terminal.lines, errors: terminal.errors };
}

const modelCalls = () => simulator.calls().total;
// On a busy machine an answer may come after the deadline: then the rules judged.
const withModel = () => cases.find(({ runs }) => runs[0]!.verdict?.method === 'llm')!;

describe('casefile replay and diff', () => {
  it('R18 S4-62 replay a case of every kind on real queues: the same, without a call', async () => {
    const before = modelCalls();
    for (const kind of new Set(cases.map(({ playbook }) => playbook))) {
      const one = cases.find(({ playbook }) => playbook === kind)!;
      const { code, lines } = await casefile('replay', one.id);
      expect([kind, code, lines[0]]).toEqual([kind, 0, expect.stringContaining(': the same: outcome')]);
    }
    expect(modelCalls()).toBe(before);
  });

  it('S4-62 make a run again that is named by its own id, and show the difference as JSON', async () => {
    const one = withModel();
    const [base] = one.runs;
    const { code, lines } = await casefile('replay', base!.id, '--strategy', 'heuristic', '--json');
    const found = JSON.parse(lines[0]!) as RunDiff;
    expect([code, found.a, found.same]).toEqual([0, base!.id, false]);
    const again = await casefile('diff', found.a, found.b);
    expect(again.lines[0]).toContain(`${found.a} -> ${found.b}: `);
    expect(again.lines.join('\n')).toContain('  method: llm -> heuristic');
    expect(again.lines.join('\n')).toContain('first difference at ');
  });

  it('S4-55 say what the record does not have, and fail', async () => {
    const { code, lines } = await casefile('replay', withModel().id, '--model', 'another');
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^evidence miss in run /);
    expect(lines.join('\n')).toContain('another model is asked');
  });

  it('say what cannot be', async () => {
    const wrong = await casefile('replay', withModel().id, '--set', 'nonsense');
    expect([wrong.code, wrong.errors.join(' ')]).toEqual([
      1,
      expect.stringContaining('expected option=value'),
    ]);
    expect((await casefile('diff', 'none', 'none')).errors).toEqual(['casefile: no run has the id "none"']);
  });
});

describe('casefile reprocess and batches', () => {
  const batchIn = (lines: string[]) => lines.join(' ').match(/batch ([0-9a-f-]{36})/)?.[1] ?? '';
  const leadingRunOf = async ({ id }: CaseDocument) =>
    (await world.platform.store.record.getCase(id))!.leadingRunId;

  it('S4-62 count and estimate without doing anything, and say what they need to be told', async () => {
    const { code, lines } = await casefile('reprocess', '--filter', 'degraded=false', '--dry-run', '--json');
    const found = JSON.parse(lines[0]!) as { batchId: null; count: number; estimateUsd: number };
    expect([code, found.batchId]).toEqual([0, null]);
    expect(found.count).toBeGreaterThan(3);
    expect((await casefile('batches')).lines).toEqual(['There is no batch.']);
    expect((await casefile('reprocess')).errors.join(' ')).toContain('expected one of --degraded-since');
  });

  it('S4-62 replay every case in a batch: none is flipped, nothing is asked, and applied verdicts go out once', async () => {
    const before = modelCalls();
    const { code, lines, errors } = await casefile('reprocess', '--filter', 'from=2020-01-01', '--replay');
    expect([code, lines.length]).toEqual([0, 1]);
    expect(lines[0]).toContain(`done  ${cases.length} of ${cases.length}, 0 flipped`);
    expect(modelCalls()).toBe(before);
    const id = batchIn(errors);
    const [first] = cases as [CaseDocument];
    const base = await leadingRunOf(first);
    expect(base).toBe(first.leadingRunId);
    const preview = async (...choice: string[]) =>
      (await casefile('batches', 'preview', id, ...choice)).lines;
    const count = cases.length;
    expect(await preview()).toEqual([`0 applied, 0 messages, ${count} unchanged`]);
    expect(await preview('--except', first.id)).toEqual([`0 applied, 0 messages, ${count - 1} unchanged`]);
    expect((await casefile('batches', 'apply', id, '--only', first.leadingRunId!)).errors.join(' ')).toMatch(
      /caseIds\[0\]|no case/,
    );
    const discarded = await casefile('batches', 'discard', id);
    expect(discarded.lines[0]).toContain('discarded');
    expect(await leadingRunOf(first)).toBe(base);
    expect((await casefile('batches', 'apply', id)).errors.join(' ')).toContain('it cannot apply now');
  });

  it('S4-62 S4-59 judge all again, leave the answers of people in each kind, and send changed verdicts only', async () => {
    const { store, config } = world.platform;
    const answered = new Map<string, JsonObject>();
    for (const { name, presenting } of config.playbooks) {
      const one = cases.findLast(({ playbook }) => playbook === name)!;
      const outcome = otherOutcome(presenting.judged!, one.runs.at(-1)!.verdict!.outcome);
      const [[field, value] = []] = Object.entries(outcome);
      const act = await casefile(
        'reviews',
        'answer',
        one.id,
        '--outcome',
        `${field}=${String(value)}`,
        '--override',
        '--by',
        'ann',
      );
      expect([name, act.code]).toEqual([name, 0]);
      answered.set(one.id, outcome);
    }
    // As if earlier rules had dismissed it, so that its verdict changes.
    const dismissed = cases.find(({ playbook }) => playbook === 'scam-verdict')!.leadingRunId;
    for (const [table, column] of [
      ['artifacts', `body = jsonb_set(body::jsonb, '{disposition}', '"dismiss"')::json`],
      ['runs', `disposition = 'dismiss'`],
    ])
      await (world.platform.store as PostgresStore).database.rows(
        `update ${table} set ${column} where ${table === 'runs' ? 'id' : "artifact = 'verdict' and run_id"} = $1`,
        [dismissed],
      );
    const all = [
      'reprocess',
      '--filter',
      'from=2020-01-01',
      '--replay',
      '--strategy',
      'heuristic',
      '--apply',
    ];
    const ran = await casefile(...all);
    expect(ran.code).toBe(0);
    const kinds = config.playbooks.length;
    expect(ran.lines[0]).toContain(`${kinds} decided by a person`);
    const batchId = batchIn(ran.errors);
    const batch = (await store.batches.get(batchId))!;
    const { members } = await store.batches.members(batchId, 100, 0);
    const flipped = members.filter((member) => member.flipped === true);
    expect(flipped.length).toBeGreaterThan(0);
    expect(members.slice(0, flipped.length)).toEqual(flipped);
    expect(ran.lines.filter((line) => line.includes(' -> '))).toHaveLength(flipped.length);
    for (const { caseId, runId, baseRunId, state, flipped: isFlipped, playbook } of members) {
      const delivery = await store.deliveries.of(runId);
      const shown = (await store.record.getCase(caseId))!.leadingRunId;
      const outcome = answered.get(caseId);
      if (outcome !== undefined) {
        const review = await store.reviews.get(caseId, Date.now());
        expect([playbook, state, delivery, shown]).toEqual([playbook, 'by_person', null, baseRunId]);
        const standing = { outcome, decidedBy: { person: 'ann' } };
        expect(review).toMatchObject({ state: 'answered', standing });
      } else if (state === 'unchanged')
        expect([isFlipped, delivery, shown]).toEqual([false, null, baseRunId]);
      else {
        expect([playbook, state, shown]).toEqual([playbook, 'applied', runId]);
        expect(delivery).toMatchObject({ caseId, replaces: baseRunId });
      }
    }
    expect(batch).toMatchObject({ state: 'applied', decidedByPerson: kinds, overtaken: 0 });
    expect(batch.applied + batch.unchanged + kinds).toBe(cases.length);
    expect(batch.unchanged).toBeGreaterThan(0);
    // The sweeper hands out what is on the record.
    const pending = () => store.deliveries.pending(1, 0, [cases[0]!.playbook]);
    await until('the verdicts have left', async () => (await pending()).length === 0);
    // Applied once more, every verdict is the same.
    const again = await casefile(...all);
    expect(again.lines[0]).toContain(`${kinds} decided by a person, ${cases.length - kinds} unchanged`);
    expect((await store.batches.get(batchIn(again.errors)))!).toMatchObject({ applied: 0, sent: 0 });
  });
});

/** Returns an answer that differs from the outcome in its first deciding field. */
function otherOutcome({ shape }: z.ZodObject, outcome: JsonObject): JsonObject {
  const [[field, schema] = ['', undefined]] = Object.entries(shape);
  const { options } = schema as unknown as { options: string[] };
  return { [field]: options.find((value) => value !== outcome[field])! };
}
