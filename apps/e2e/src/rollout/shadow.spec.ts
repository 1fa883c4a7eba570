import {
  CasefileError,
  type CaseDocument,
  type Comparison,
  type LanguageModel,
  type NewExperiment,
  type RunDocument,
} from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { NO_ROLLOUT, type SettingsCopy } from '@casefile/runtime';
import { settingsCopyOf } from '../testing/settings-copy-of.js';
import type { PostgresStore } from '@casefile/store';
import { comparisonIn, equalArms, someAct } from './equal-arms.js';
import { fewOfEachKind, recordSamples, verdictBytes } from '../testing/recorded-samples.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { inlineWorld, type World } from '../testing/world.js';

/**
 * Tables that change while shadow runs are made: their own budget, how far the driver and other readers of events have
 * read, and figures and samples of live verdicts that such a reader adds.
 */
const OTHER_TABLES = [
  'experiments',
  'budgets',
  'processes',
  'prompt_sets',
  'prompt_texts',
  'event_readers',
  'verdict_figures',
  'review_samples',
  'series_samples',
  'audit_entries',
  'missing_look_ups',
  'examinations',
];
const OF_RUNS: Record<string, string> = {
  runs: 'id',
  units: 'run_id',
  artifacts: 'run_id',
  tool_calls: 'run_id',
  llm_interactions: 'run_id',
  events: 'run_id',
};

describe('a shadow experiment', () => {
  let world: World;
  let store: PostgresStore;
  let simulator: Simulator;
  let copy: SettingsCopy | null = null;
  /** Answers of the provider to calls of shadow runs. */
  let manner: 'well' | 'dead' | 'garbage' | 'hanging' = 'well';
  const shadowCalls: string[] = [];

  beforeAll(async () => {
    simulator = await startSimulator();
    const answers = simulatedModel(simulator);
    const model: LanguageModel = {
      ...answers,
      complete: async (request, call) => {
        const run = await store.record.getRun(call.callKey.slice(0, 36));
        const isShadow = run?.lane === 'shadow';
        if (isShadow) shadowCalls.push(call.callKey);
        // A repeated control has the usual, long deadlines, and would hang for minutes.
        const isAsUsual = !isShadow || run.settings.experiment?.arm === 'control';
        if (isAsUsual || manner === 'well') return answers.complete(request, call);
        if (manner === 'dead') throw new CasefileError('server_error', 'dead');
        if (manner === 'garbage')
          return { ...(await answers.complete(request, call)), content: 'garbage', toolCalls: [] };
        // The time may be over already, because the run was read first.
        return new Promise((_, reject) => {
          const late = () => reject(new CasefileError('timeout', 'late'));
          if (call.signal.aborted) late();
          else call.signal.addEventListener('abort', late);
        });
      },
    };
    world = await inlineWorld(model, {}, kinds, {
      current: () => copy?.current() ?? NO_ROLLOUT.current(),
    });
    store = world.platform.store as PostgresStore;
    copy = settingsCopyOf(store);
    await copy.start();
  });
  afterAll(async () => {
    await copy?.stop();
    // It leads, and holds a connection.
    await world.platform.sweeper.stop();
    await world.close();
    await simulator.close();
  });

  async function start(playbook: string, over: Partial<NewExperiment> = {}): Promise<string> {
    const { id } = await store.experiments.create({ ...equalArms(playbook), ...over });
    await store.experiments.start(id, someAct());
    await copy?.refresh();
    return id;
  }
  /** Opens shadow runs until every case of the experiments has one that has ended. */
  const driven = (ids: readonly string[], count: number): Promise<void> =>
    until('the shadow runs have ended', async () => {
      await world.platform.sweeper.tick();
      const all = await Promise.all(ids.map((id) => store.experiments.runs(id)));
      const runs = all.flatMap((one) => one.runs);
      return (
        runs.filter(({ arm }) => arm === 'new').length === count &&
        runs.every(({ status }) => status !== 'due')
      );
    });
  const compared = (id: string): Promise<Comparison> => comparisonIn(store, id);
  async function liveDigest(): Promise<Record<string, string>> {
    // Words for searches are written by a chore, which has to be called in this world.
    await until('the words of all texts are written', async () => {
      await store.searchWords.note(10_000);
      return (await store.record.listCases({ q: 'a', limit: 1 })).searchableTo === null;
    });
    const tables = await store.database.rows<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    );
    const digests: Record<string, string> = {};
    for (const { name } of tables) {
      if (OTHER_TABLES.includes(name)) continue;
      const run = OF_RUNS[name];
      const where =
        run === undefined
          ? ''
          : `where t.${run} is null or t.${run} not in (select id from runs where lane = 'shadow')`;
      const [row] = await store.database.rows<{ digest: string | null }>(
        `select md5(string_agg(t::text, chr(10) order by t::text)) as digest from "${name}" t ${where}`,
      );
      digests[name] = row?.digest ?? '';
    }
    return digests;
  }

  it('S4-50 S4-55 of equal arms agrees on cases of every kind, and touches nothing of live runs', async () => {
    const ids = new Map<string, string>();
    for (const { name } of playbooks) ids.set(name, await start(name));
    const cases: CaseDocument[] = await recordSamples(world, 1, fewOfEachKind(1, { 'scam-verdict': 2 }));
    const kinds = new Set(cases.map(({ playbook }) => playbook));
    expect(kinds.size).toBe(playbooks.length);
    const before = await liveDigest();
    expect(await store.database.rows(`select id from runs where lane = 'shadow'`)).toEqual([]);
    await driven([...ids.values()], cases.length);
    expect(await liveDigest()).toEqual(before);
    expect(await store.database.rows(`select run_id from verdict_figures where lane = 'shadow'`)).toEqual([]);
    // About one case in ten is judged again with the control, and chance may have chosen none yet.
    const repeated = async () => {
      const runs = await Promise.all([...ids.values()].map((id) => store.experiments.runs(id)));
      return runs.flatMap((one) => one.runs).filter(({ arm }) => arm === 'control').length;
    };
    for (let extra = 1, known = await repeated(); known === 0; extra += 1) {
      await judgeTexts(`extra ${extra}`);
      await driven([...ids.values()], cases.length + extra * TEXTS.length);
      known = await repeated();
    }
    let again = 0;
    for (const id of ids.values()) {
      const { agreement, missing, sentence, noise, arms, differing } = await compared(id);
      const [control, changed] = arms;
      expect(differing).toEqual([]);
      expect(missing).toMatchObject({ x: 0, reasons: [] });
      expect(agreement?.outcome.same).toMatchObject({ x: control?.cases, n: control?.cases });
      expect(sentence).toMatch(/^No difference: both arms decided all /);
      expect(changed).toMatchObject({
        cases: control?.cases,
        outcomes: control?.outcomes,
        tokens: control?.tokens,
      });
      expect(noise?.outcome.same.x).toBe(noise?.outcome.same.n);
      again += noise?.outcome.same.n ?? 0;
    }
    expect(again).toBeGreaterThan(0);
    // The arm reads the recorded answers. The repeated control asks its models again, and no run asks a tool.
    expect(shadowCalls.length).toBeGreaterThan(0);
    const calls = await store.database.rows<{ n: number }>(
      `select count(*)::int as n from tool_calls t join runs r on r.id = t.run_id
       where r.lane = 'shadow' and t.read_from is null and t.reason_code is distinct from 'evidence_miss'`,
    );
    expect(calls).toEqual([{ n: 0 }]);
    for (const id of ids.values()) await store.experiments.stop(id, someAct());
    await copy?.refresh();
  });

  // Answers of another model are not on the record, so that they are asked for.
  const changedArms = (model: string) => [
    { name: 'control', settings: {} },
    { name: 'new', settings: { model, options: { deadlineMs: 300 } } },
  ];
  const TEXTS = [
    'Your account is blocked, call +1 555 010 1000 now',
    'You won a prize, pay the fee at https://prize.example/pay',
    'Lunch at noon tomorrow?',
  ];
  async function judgeTexts(source: string): Promise<RunDocument[]> {
    const runs: RunDocument[] = [];
    for (const text of TEXTS) {
      const { caseId } = await world.accept({ playbook: 'scam-verdict', text, source, collect: false });
      runs.push(...(await world.ended(caseId)).runs);
    }
    return runs;
  }

  it('S4-55 whose calls have no room in its budget is missing, and nothing waits for it', async () => {
    const playbook = 'policy-check';
    const id = await start(playbook, { name: 'no price', budgetUsd: 5, arms: changedArms('another') });
    const fresh = await recordSamples(world, 1, ({ playbook: kind }) => kind === playbook);
    const before = await liveDigest();
    await driven([id], fresh.length);
    expect(await liveDigest()).toEqual(before);
    const { missing, finding, agreement } = await compared(id);
    expect(missing.reasons).toEqual([{ reason: 'unknown_price', cases: missing.x }]);
    expect(missing).toMatchObject({ n: fresh.length });
    expect(agreement?.outcome.same.n).toBe(fresh.length - missing.x);
    expect(finding).toBe('not_comparable');
    expect((await store.deadLetters.find({ limit: 10 })).items).toEqual([]);
    await store.experiments.stop(id, someAct());
    await copy?.refresh();
  });

  it.each(['dead', 'garbage', 'hanging'] as const)(
    'S4-55 whose provider is %s changes no verdict and no row of live runs',
    async (how) => {
      manner = 'well';
      const usual = await judgeTexts(`usual ${how}`);
      manner = how;
      const id = await start('scam-verdict', { arms: changedArms(`another ${how}`), name: how });
      const fresh = await judgeTexts(how);
      const before = await liveDigest();
      await driven([id], fresh.length);
      expect(await liveDigest()).toEqual(before);
      const { arms: figures } = await compared(id);
      expect(figures[1]?.fallbacks).toMatchObject({ x: fresh.length, n: fresh.length });
      expect(fresh.map(verdictBytes)).toEqual(usual.map(verdictBytes));
      await store.experiments.stop(id, someAct());
      await copy?.refresh();
      manner = 'well';
    },
  );
});
