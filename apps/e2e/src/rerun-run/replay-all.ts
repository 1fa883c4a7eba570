import type { Batch, LanguageModel } from '@casefile/contracts';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { diffRuns } from '@casefile/pipeline';
import { recordSamples, requestHashes, verdictBytes } from '../testing/recorded-samples.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { worldOn, type World } from '../testing/world.js';

export interface ReplayFigures {
  cases: number;
  kinds: number;
  /** Identical verdicts in both replays, before and after a restart. */
  identical: number;
  differing: string[];
  /** Calls of the provider in the first runs, and of models and tools in the replays. */
  callsLive: number;
  callsReplayed: number;
  liveCasesPerSecond: number;
  replayedCasesPerSecond: number;
}

const LOOK_EVERY_MS = 100;

/** Returns a model that fails every call and counts the calls. */
function unreachable(): LanguageModel & { calls: number } {
  const model = {
    provider: 'simulator',
    model: 'unreachable',
    calls: 0,
    complete: () => {
      model.calls += 1;
      return Promise.reject(new Error('a model was asked'));
    },
  };
  return model;
}

/**
 * Judges the samples of every kind on a simulator that answers immediately, closes it, restarts, and replays
 * every verdict from the record; then again after another restart.
 * @param times Number of times that each sample is judged.
 */
export async function replayAll(
  databaseUrl: string,
  times: number,
  say: (line: string) => void = () => undefined,
): Promise<ReplayFigures> {
  const simulator = await startSimulator();
  const live = await worldOn(databaseUrl, 'postgres', simulatedModel(simulator));
  const began = performance.now();
  const cases = await recordSamples(live, times);
  const liveS = (performance.now() - began) / 1000;
  const callsLive = simulator.calls().total;
  await live.close();
  await simulator.close();
  say(`${cases.length} cases judged in ${liveS.toFixed(1)} s with ${callsLive} calls`);
  const noModel = unreachable();
  const differing: string[] = [];
  let identical = 0;
  let seconds = 0;
  for (const round of ['first', 'second']) {
    const world = await worldOn(databaseUrl, 'postgres', noModel);
    const started = performance.now();
    const { batchId } = await world.platform.rerun.createBatch({ filter: {}, lane: 'replay' });
    const batch = await done(world, batchId!);
    seconds += (performance.now() - started) / 1000;
    say(
      `${round} replay: ${batch.done} of ${batch.total}, ${batch.flipped} flipped, ${batch.failed} without a verdict`,
    );
    const comparison = await compared(world, batchId!, batch.total);
    identical += comparison.identical;
    differing.push(...comparison.differing);
    await world.platform.store.batches.act(batchId!, 'discard');
    await world.close();
  }
  return {
    cases: cases.length,
    kinds: new Set(cases.map(({ playbook }) => playbook)).size,
    identical,
    differing,
    callsLive,
    callsReplayed: noModel.calls,
    liveCasesPerSecond: cases.length / liveS,
    replayedCasesPerSecond: (2 * cases.length) / seconds,
  };
}

async function done({ platform }: World, batchId: string): Promise<Batch> {
  for (;;) {
    const batch = (await platform.store.batches.get(batchId))!;
    if (batch.state === 'done') return batch;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function compared({ platform: { store } }: World, batchId: string, total: number) {
  const differing: string[] = [];
  let identical = 0;
  const { members } = await store.batches.members(batchId, total, 0);
  for (const { baseRunId, runId, playbook } of members) {
    const [base, run] = [(await store.record.getRun(baseRunId))!, (await store.record.getRun(runId))!];
    const isRead = run.toolCalls.every(({ readFrom }) => typeof readFrom === 'string');
    const isSame =
      isRead &&
      verdictBytes(run) === verdictBytes(base) &&
      JSON.stringify(requestHashes(run)) === JSON.stringify(requestHashes(base));
    if (isSame) identical += 1;
    else
      differing.push(
        `${playbook} ${runId}: ${JSON.stringify(diffRuns(base, run).firstDivergence ?? run.message)}`,
      );
  }
  return { identical, differing };
}
