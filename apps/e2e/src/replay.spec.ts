import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import type { CaseDocument, OpenRunAsk, RunDocument, Verdict } from '@casefile/contracts';
import { diffRuns, type Playbook, type UnitResult } from '@casefile/pipeline';
import { fewOfEachKind, recordSamples, requestHashes, verdictBytes } from './testing/recorded-samples.js';
import { simulatedModel } from './testing/simulated-model.js';
import { inlineWorld, type World } from './testing/world.js';

let world: World;
let simulator: Simulator;
let cases: CaseDocument[];

beforeAll(async () => {
  simulator = await startSimulator();
  world = await inlineWorld(simulatedModel(simulator));
  cases = await recordSamples(world, 1, fewOfEachKind(3));
});
afterAll(async () => {
  await world.close();
  await simulator.close();
});

async function again(
  { id }: CaseDocument,
  ask: OpenRunAsk = { lane: 'replay' },
): Promise<{ base: RunDocument; run: RunDocument; after: CaseDocument }> {
  const { runId, baseRunId } = await world.platform.rerun.open(id, ask);
  const after = await world.ended(id);
  const find = (ofRun: string) => after.runs.find((run) => run.id === ofRun)!;
  return { base: find(baseRunId), run: find(runId), after };
}

const modelCalls = () => simulator.calls().total;

describe('a replay', () => {
  it('R18 S4-62 makes every verdict again from the record, byte for byte, and asks no model and no tool', async () => {
    const before = modelCalls();
    expect(before).toBeGreaterThan(0);
    const kinds = new Set<string>();
    for (const one of cases) {
      const { base, run, after } = await again(one);
      kinds.add(one.playbook);
      expect([one.playbook, one.alerts[0]!.text?.slice(0, 40), run.message]).toEqual([
        one.playbook,
        one.alerts[0]!.text?.slice(0, 40),
        null,
      ]);
      expect(verdictBytes(run)).toBe(verdictBytes(base));
      expect(requestHashes(run)).toEqual(requestHashes(base));
      expect(run.toolCalls.every(({ readFrom }) => typeof readFrom === 'string')).toBe(true);
      expect(diffRuns(base, run)).toMatchObject({ same: true, flipped: false, firstDivergence: null });
      // The case shows what it showed.
      expect(after.leadingRunId).toBe(base.id);
      expect(after.status).toBe(one.status);
      expect(await world.platform.store.deliveries.of(run.id)).toBeNull();
    }
    expect(kinds.size).toBe(world.platform.config.playbooks.length);
    expect(modelCalls()).toBe(before);
  });

  it('S4-62 with a threshold moved flips exactly the cases that its decision rule decides otherwise', async () => {
    const MOVED: Record<string, number> = { pageFrom: 0.99, normalEngageFrom: 0.99, strictEngageFrom: 0.999 };
    const before = modelCalls();
    const flipped: string[] = [];
    const computed: string[] = [];
    for (const one of cases) {
      const { options: known, decision } = kindOf(one);
      const options = Object.fromEntries(
        Object.entries(MOVED).filter(([name]) => Object.hasOwn(known.defaults, name)),
      );
      if (Object.keys(options).length === 0) continue;
      const { base, run } = await again(one, { lane: 'replay', settings: { options } });
      if (diffRuns(base, run).flipped) flipped.push(one.id);
      const settings = { ...base.settings, options: { ...base.settings.options, ...options } };
      const decided = decision.decide(unitsOf(base), settings, base.verdict!.decidedAt, base.id);
      if (doneBy(decided) !== doneBy(base.verdict!)) computed.push(one.id);
    }
    expect(flipped).toEqual(computed);
    expect(computed.length).toBeGreaterThan(0);
    expect(modelCalls()).toBe(before);
  });

  it('S4-62 S4-55 with another strategy reads the evidence that is there, and calls what is not a miss', async () => {
    const before = modelCalls();
    for (const one of cases) {
      const { base, run } = await again(one, { lane: 'replay', settings: { strategy: 'heuristic' } });
      expect([run.status, run.verdict?.method]).toEqual(['decided', 'heuristic']);
      for (const { readFrom, reasonCode } of run.toolCalls)
        expect(typeof readFrom === 'string' || reasonCode === 'evidence_miss').toBe(true);
      const { differences } = diffRuns(base, run);
      expect(differences.map(({ what }) => what)).toContain('strategy');
    }
    expect(modelCalls()).toBe(before);
  });

  it('S4-62 S4-55 with another model ends at the first question, which it names, and makes no call', async () => {
    const before = modelCalls();
    const [one] = cases.filter(({ runs }) => runs[0]!.interactions.length > 0);
    const { run, base, after } = await again(one!, { lane: 'replay', settings: { model: 'another' } });
    expect(run).toMatchObject({ status: 'stopped', reasonCode: 'evidence_miss', verdict: null });
    expect(run.message).toContain('another model is asked');
    expect(run.trace.find(({ type }) => type === 'evidence.missed')?.data).toMatchObject({ what: 'answer' });
    expect(diffRuns(base, run)).toMatchObject({ same: false, flipped: true });
    expect(after.leadingRunId).toBe(base.id);
    expect(modelCalls()).toBe(before);
  });

  it('S4-62 asks models for what is not on the record where it may, on the evidence that is, and nothing goes out', async () => {
    for (const one of cases.filter(({ runs }) => runs[0]!.interactions.length > 0).slice(0, 6)) {
      const before = modelCalls();
      const { run: plain } = await again(one, { lane: 'batch' });
      expect(modelCalls()).toBe(before);
      expect(plain.status).toBe('decided');
      const { base, run } = await again(one, { lane: 'batch', settings: { model: 'another' } });
      expect(modelCalls()).toBeGreaterThan(before);
      expect(run.status).toBe('decided');
      expect(run.interactions.some(({ readFrom }) => readFrom === null)).toBe(true);
      expect(run.toolCalls.every(({ readFrom, reasonCode }) => readFrom ?? reasonCode)).toBe(true);
      expect(await world.platform.store.deliveries.of(run.id)).toBeNull();
      expect(run.settings.recorded).toMatchObject({ run: base.id, misses: 'ask' });
    }
  });

  it('S4-62 refuses what cannot be, and says why', async () => {
    const [{ id }] = cases as [CaseDocument];
    const { rerun } = world.platform;
    const of = (ask: OpenRunAsk) =>
      rerun.open(id, ask).then(
        () => [],
        (error: { problems: { path: string }[] }) => error.problems.map(({ path }) => path),
      );
    expect(await of({ lane: 'replay', evidence: 'fresh' })).toEqual(['evidence']);
    expect(await of({ lane: 'replay', run: 'unknown' })).toEqual(['run']);
    expect(await of({ lane: 'replay', settings: { strategy: 'toss', prompts: { answer: 'x@9' } } })).toEqual([
      'settings.strategy',
      'settings.prompts.answer',
    ]);
    expect(await of({ lane: 'replay', settings: { options: { deadlineMs: -1 } } })).toEqual(['deadlineMs']);
  });
});

const kindOf = ({ playbook }: CaseDocument): Playbook =>
  world.platform.config.playbooks.find(({ name }) => name === playbook)!;

const doneBy = ({ disposition, outcome }: Verdict): string =>
  `${disposition} ${String(outcome['action'] ?? '')}`;

/** Returns the inputs of the decision of a run. */
function unitsOf({ artifacts }: RunDocument): UnitResult[] {
  const names = [...new Set(artifacts.map(({ unit }) => unit))].filter((unit) => unit !== '');
  const newest = (unit: string, name: string) =>
    artifacts
      .filter(({ artifact, unit: of }) => artifact === name && (of === unit || of === ''))
      .sort((a, b) => b.unit.length - a.unit.length || b.round - a.round)[0]?.body;
  return (names.length === 0 ? [''] : names).map(
    (unit) =>
      ({
        unit,
        brief: newest(unit, 'brief'),
        evidence: newest(unit, 'evidence'),
        draft: newest(unit, 'draft'),
        review: newest(unit, 'review'),
        report: newest(unit, 'report'),
      }) as unknown as UnitResult,
  );
}
