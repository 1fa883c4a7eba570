import type {
  AnswerRead,
  ChosenOption,
  ClaimedWork,
  InlineToolCall,
  IntentRequest,
  Lease,
  Logger,
  SignalRecord,
  StageKey,
} from '@casefile/contracts';
import { strategyOf, thoughtsOf, type FlowPorts, type StepSignals } from '@casefile/pipeline';
import type { ExecutorLimits, ExecutorPorts } from '../executor/executor-ports.js';
import { retryWhileStoreIsDown } from '../executor/retry-while-store-is-down.js';
import { RESOLUTION_READ } from '../rerun/recording.js';
import { Journal } from './journal.js';
import type { Intent } from './paid-attempts.js';
import { StageTools } from './stage-tools.js';

/** What a stage reaches while it runs: the outside, or the record of another run. */
export interface World {
  ports: FlowPorts;
  /** The model calls of the stage, with what it adds to the trace. */
  journal: Journal;
  /** Hands over the tool calls that are not on the record yet; of a stage that failed without the failed ones. */
  takeInlineCalls(stageFailed?: boolean): InlineToolCall[];
  /** Hands over answers of another run that were read and are not on the record of this run yet. */
  takeReads(): AnswerRead[];
}

/** From what a world is opened for a stage. */
export interface Opening {
  ports: ExecutorPorts;
  limits: ExecutorLimits;
  work: ClaimedWork;
  log: Logger;
  /** Aborted when the lease is lost or the process stops. */
  signal: AbortSignal;
  /** Writes an intent by the lease as it is then. */
  intend(write: (lease: Lease) => IntentRequest): Promise<boolean>;
}

/** The world of a run that asks models, tools and people. */
export async function liveWorld(opening: Opening): Promise<World> {
  const { ports, work, signal } = opening;
  const { recordings, answers, prompts, reader } = ports;
  const { lease, lane } = work;
  const tools = new StageTools(keyOf(lease), work, ports, signal);
  const takeInlineCalls = (stageFailed?: boolean) => tools.takeInlineCalls(stageFailed);
  const journal = openJournal(opening, takeInlineCalls);
  const own = {
    model: journal,
    tools,
    signals: chosenOf(work.signals, lane === 'live' && !work.waitOver),
    answers: answersOf(recordings, async (key, forMs) => {
      // What is judged again, or for a measurement, makes an answer of its own.
      if (answers === undefined || lane !== 'live') return { kind: 'make' };
      return answers.take({ key, runId: lease.runId, forMs });
    }),
    resolvedAt: endOfAlert(ports, work, journal),
    prompts,
    reader,
  };
  return { ports: portsWith(opening, lease.runId, own), journal, takeInlineCalls, takeReads: () => [] };
}

/**
 * The journal of a stage.
 * @param takeInlineCalls hands over what an intent takes along.
 * @param seed what marks are derived from where nothing was drawn yet.
 */
export function openJournal(
  { ports, limits, work, log, signal, intend }: Opening,
  takeInlineCalls: World['takeInlineCalls'],
  seed?: string,
): Journal {
  // Named one by one: the ports are many, and a copy of all of them for each stage is not cheap.
  const { clock, ids, telemetry, calls, shelf, prompts } = ports;
  const { settings } = work;
  const journalPorts = {
    calls,
    clock,
    ids,
    telemetry,
    log,
    intend: async (intent: Intent) => {
      await retryWhileStoreIsDown(signal, log, async () => shelf?.keep());
      return intend((held) => ({ ...intent, lease: held, inlineToolCalls: takeInlineCalls() }));
    },
    route: ports.routeOf(settings),
    deadlinePauseMs: limits.deadlinePauseMs ?? 0,
    promptSet: shelf?.setId,
    thinkAloud: () =>
      thoughtsOf(strategyOf(ports.playbookNamed(settings.playbook), settings.strategy), prompts),
  };
  return new Journal({ ...work, key: keyOf(work.lease), seed }, journalPorts, signal);
}

/** The ports of a stage: what every world gives it, and what is of one world. */
export function portsWith(
  { ports, work, log, signal }: Opening,
  runId: string,
  own: Omit<FlowPorts, 'playbook' | 'run' | 'clock' | 'log' | 'signal'>,
): FlowPorts {
  const { caseId, lane, settings, lease } = work;
  const run = { runId, caseId, lane, unit: lease.unit, round: lease.round, settings };
  return { ...own, playbook: ports.playbookNamed(settings.playbook), run, clock: ports.clock, log, signal };
}

export function keyOf({ runId, unit, stage, round }: Lease): StageKey {
  return { runId, unit, stage, round };
}

/**
 * What people chose of what a stage asked.
 * @param waits does the stage wait for a choice? Otherwise it continues with its fallback.
 */
export function chosenOf(asked: readonly SignalRecord[], waits: boolean): StepSignals {
  return {
    chosen: (step, { fallback }): ChosenOption | null => {
      const found = asked.find((one) => one.step === step);
      if (found !== undefined && found.value !== null)
        return { value: found.value, by: found.by, at: found.givenAt };
      return waits ? null : { value: fallback, by: null, at: found?.until ?? null };
    },
  };
}

/** Answers that runs reuse. Of a run whose answer is reused, its artifacts are read from the record. */
export function answersOf(
  recordings: ExecutorPorts['recordings'],
  take: FlowPorts['answers']['take'],
): FlowPorts['answers'] {
  return { take, artifact: async (runId, name) => (await recordings.of(runId)).lastArtifact(name) };
}

// A stage that was given the end once is given it again, and it is on the record: a run that reads this one is given it at the
// same place.
function endOfAlert(
  { store }: Pick<ExecutorPorts, 'store'>,
  { caseId }: ClaimedWork,
  journal: Journal,
): FlowPorts['resolvedAt'] {
  let resolvedAt: string | null = null;
  let reading: Promise<void> | null = null;
  const read = async () => {
    const steps = journal.stepsCalled.size;
    resolvedAt = await store.record.resolvedAt(caseId);
    if (resolvedAt !== null) journal.tell(RESOLUTION_READ, { resolvedAt, steps });
  };
  return async () => {
    // Questions that are asked side by side get the same answer.
    if (resolvedAt === null) await (reading ??= read().finally(() => (reading = null)));
    return resolvedAt;
  };
}
