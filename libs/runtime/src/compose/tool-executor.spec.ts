import {
  CasefileError,
  noTelemetry,
  silentLogger,
  z,
  type LanguageModel,
  type Tool,
  type ToolContext,
  type ToolModel,
} from '@casefile/contracts';
import { aClaimRequest, countingIds, manualClock, until, withMembers } from '@casefile/contracts/testing';
import { createToolRunner, toolBox } from '@casefile/evidence';
import { testRecord } from '@casefile/store/testing';
import { type BudgetSettings, NO_BUDGETS, ToolExecutor } from '@casefile/engine';
import { readPrompts } from '../config/installed-prompts.js';
import { summariseResultPrompt } from '@casefile/pipeline';
import { anAnswer, aQuestion, freeCalls, waitingRun, alwaysModel } from '@casefile/engine/testing';

const LEASE_MS = 6_000;
const onRecord = testRecord();

interface ToolRunOptions {
  run: (model: ToolModel, context: ToolContext) => Promise<string>;
  complete?: LanguageModel['complete'];
  budgets?: BudgetSettings;
  attempts?: number;
  timeoutMs?: number;
}

/** Sets up a run, on its own record, that waits for one call of a tool that asks a model. */
async function setUp({
  run,
  complete,
  budgets = NO_BUDGETS,
  attempts = 1,
  timeoutMs = 60_000,
}: ToolRunOptions) {
  const clock = manualClock();
  const ids = countingIds();
  const { store, passTime } = onRecord();
  const call = { id: ids.id(), tool: 'pi_search', args: {} };
  const wait = { step: 1, calls: [call], timeoutMs: 9_000_000 };
  const accepted = await waitingRun(store, ids, wait);
  const paid: string[] = [];
  const answer = complete ?? (async () => anAnswer());
  const model: LanguageModel = {
    provider: 'fake',
    model: 'm',
    complete: (request, options) => (paid.push(options.callKey), answer(request, options)),
  };
  const tool: Tool = {
    name: 'pi_search',
    description: 'Asks.',
    locality: 'remote',
    reads: 'outside',
    entityTypes: [],
    args: z.object({}),
    limits: { timeoutMs, attempts, concurrency: 1 },
    run: async (_args, context) => ({ result: await run(context.model!, context), source: 'test' }),
  };
  const shared = { clock, log: silentLogger, telemetry: noTelemetry };
  /** @param isDead It renews no lease, like a process that died. */
  const worker = (isDead = false) =>
    new ToolExecutor(
      {
        store: isDead
          ? { ...store, toolCalls: withMembers(store.toolCalls, { renew: async () => [] }) }
          : store,
        nudger: { nudge: async () => undefined },
        ids,
        ...shared,
        runner: createToolRunner({ tools: toolBox([tool]), ...shared }, { sleep: async () => undefined }),
        models: alwaysModel(model),
        prompts: readPrompts([summariseResultPrompt]),
        modelFeatures: {},
        calls: { ...freeCalls(), budgets },
      },
      LEASE_MS,
    );
  const record = async () => {
    const [document] = (await store.record.getCase(accepted.caseId))!.runs;
    if (document === undefined) throw new Error('no run');
    return document;
  };
  const work = (by = worker()) => by.handle({ toolCallId: call.id });
  return { store, passTime, worker, work, paid, record, call, runId: accepted.runId };
}

describe('S4-06 S4-10 a tool call that asks a model', () => {
  it('has it on the record, and in what the stage reads as its own there is nothing of it', async () => {
    const run = async (model: ToolModel) => (await model.call(1, aQuestion, null)).content;
    const { work, record, paid, call, store, runId } = await setUp({ run });
    await work();
    const { toolCalls, interactions } = await record();
    expect(toolCalls).toMatchObject([{ state: 'succeeded', result: 'yes', attempts: 1 }]);
    const { promptId } = aQuestion;
    expect(interactions).toMatchObject([{ toolCallId: call.id, state: 'completed', step: 1, promptId }]);
    expect(paid).toEqual([`${runId}//triage/1/${call.id}/1/1`]);
    const claim = await store.units.claim(aClaimRequest(runId));
    expect(claim).toMatchObject({ kind: 'claimed', work: { interactions: [] } });
  });

  it('R3 reads after a crash what was answered, with the same seed, and asks the rest again', async () => {
    let crash = true;
    const seeds: string[] = [];
    const run = async (model: ToolModel) => {
      seeds.push(model.seed);
      const first = await model.call(1, aQuestion, null);
      return `${first.content} ${(await model.call(2, aQuestion, null)).content}`;
    };
    const complete: LanguageModel['complete'] = (_request, { callKey }) =>
      crash && callKey.endsWith('/2/1') ? new Promise(() => undefined) : Promise.resolve(anAnswer());
    const { work, worker, record, paid, passTime, call } = await setUp({ run, complete });
    const crashed = worker(true);
    const left = work(crashed);
    await until('the second call is made', () => paid.length >= 2);
    crash = false;
    await passTime(LEASE_MS + 1);
    await work();
    const { toolCalls, interactions } = await record();
    expect(toolCalls).toMatchObject([{ state: 'succeeded', result: 'yes yes' }]);
    expect(interactions.map(({ step, attempt, state }) => [step, attempt, state])).toEqual([
      [1, 1, 'completed'],
      [2, 1, 'ambiguous'],
      [2, 2, 'completed'],
    ]);
    expect(paid.map((key) => key.split(`${call.id}/`)[1])).toEqual(['1/1', '2/1', '2/2']);
    expect(seeds[0]).toBe(seeds[1]);
    // The process still works on the call, within the tool's time.
    crashed.stop();
    await left.catch(() => undefined);
  });

  it('is paid once when the tool is tried again within its limits', async () => {
    let tries = 0;
    const run = async (model: ToolModel) => {
      const { content } = await model.call(1, aQuestion, null);
      tries += 1;
      if (tries === 1) throw new CasefileError('network', 'the store hung up', { retryable: true });
      return content;
    };
    const { work, record, paid } = await setUp({ run, attempts: 2 });
    await work();
    expect((await record()).toolCalls).toMatchObject([{ state: 'succeeded', attempts: 2 }]);
    expect(paid).toHaveLength(1);
  });

  it('R5 leaves nothing open when its time is over before the model has answered', async () => {
    const run = async (model: ToolModel) => (await model.call(1, aQuestion, null)).content;
    const complete = () => new Promise<never>(() => undefined);
    const budgets = { ...NO_BUDGETS, day: { tokens: 100_000, soft: 0.8 } };
    const judged = async (timeoutMs: number) => {
      const made = await setUp({ run, complete, timeoutMs, budgets });
      await made.work();
      return made;
    };
    // The time has to be long enough for the intent to be written.
    let timeoutMs = 2_000;
    let made = await judged(timeoutMs);
    while (made.paid.length === 0) made = await judged((timeoutMs *= 2));
    const { record, store } = made;
    const { toolCalls, interactions } = await record();
    expect(toolCalls).toMatchObject([{ state: 'failed', reasonCode: 'timeout' }]);
    expect(interactions).toMatchObject([{ state: 'ambiguous' }]);
    const [budget] = await store.budgets.states(1);
    expect(budget).toMatchObject({ reserved: 0 });
    expect(budget?.spent).toBeGreaterThan(0);
  });

  it('goes without when a budget of its run has no room, and pays nothing', async () => {
    const run = (model: ToolModel) =>
      model.call(1, aQuestion, null).then(
        ({ content }) => content,
        (error: CasefileError) => `without: ${error.reasonCode}`,
      );
    const { work, record, paid } = await setUp({
      run,
      budgets: { ...NO_BUDGETS, case: { tokens: 1, soft: 0.8 } },
    });
    await work();
    const { toolCalls, trace } = await record();
    expect(toolCalls).toMatchObject([{ state: 'succeeded', result: 'without: budget_exhausted' }]);
    expect(trace.map(({ type }) => type)).toContain('budget.exhausted');
    expect(paid).toEqual([]);
  });

  it('R17 is given back when the worker was told to stop before the answer', async () => {
    const { work, worker, record } = await setUp({
      run: async (model) => (await model.call(1, aQuestion, null)).content,
      complete: () => {
        by.stop();
        return new Promise(() => undefined);
      },
    });
    const by: ToolExecutor = worker();
    await work(by);
    expect((await record()).toolCalls).toMatchObject([{ state: 'pending' }]);
  });
});
