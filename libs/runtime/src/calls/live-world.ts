import type {
  AnswerRead,
  CaseStore,
  ChosenOption,
  ClaimedWork,
  InlineToolCall,
  IntentRequest,
  Lease,
  Logger,
  RunSettings,
  SignalRecord,
  StageKey,
  TextReader,
} from '@casefile/contracts';
import { strategyOf, thoughtsOf, type FlowPorts, type Playbook, type PromptTexts } from '@casefile/pipeline';
import { retryWhileStoreIsDown } from '../leases/retry-while-store-is-down.js';
import { RESOLUTION_READ, type Recordings } from '../rerun/recording.js';
import { Journal, type SharedCalls } from './journal.js';
import type { ModelPlan } from './model-plan.js';
import type { Intent } from './paid-attempts.js';
import type { PromptShelf } from './prompt-shelf.js';
import { StageTools, type StageToolsPorts } from './stage-tools.js';

/** What the worlds of all stages share. */
export interface WorldPorts extends StageToolsPorts {
  store: Pick<CaseStore, 'record' | 'answers'>;
  /** Returns the models that a run with these settings may call; null: it goes without a model. */
  routeOf(settings: RunSettings): ModelPlan | null;
  /** What all model calls share. */
  calls: SharedCalls;
  /** Records of runs that other runs read again. */
  recordings: Pick<Recordings, 'of'>;
  playbookNamed(name: string): Playbook;
  prompts: PromptTexts;
  /** Keeps the texts of prompts on the record. */
  shelf: Pick<PromptShelf, 'setId' | 'keep' | 'of'>;
  reader: TextReader;
}

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
  ports: WorldPorts;
  /** The longest time without a holder by which the deadline of a step is moved, in milliseconds. */
  deadlinePauseMs: number;
  work: ClaimedWork;
  log: Logger;
  /** Aborted when the lease is lost or the process stops. */
  signal: AbortSignal;
  /** Writes an intent by the lease as it is then. */
  intend(write: (lease: Lease) => IntentRequest): Promise<boolean>;
}

/** The ports of a stage that are different in each world. */
export type OwnPorts = Omit<FlowPorts, 'playbook' | 'run' | 'clock' | 'log' | 'signal'>;

/** The world of a run that asks models, tools and people. */
export async function liveWorld(opening: Opening): Promise<World> {
  const { ports, work, signal } = opening;
  const { store, recordings, prompts, reader } = ports;
  const { lease, lane } = work;
  const tools = new StageTools(keyOf(lease), work, ports, signal);
  const takeInlineCalls = (stageFailed?: boolean) => tools.takeInlineCalls(stageFailed);
  const journal = openJournal(opening, takeInlineCalls);
  const own: OwnPorts = {
    model: journal,
    tools,
    signals: {
      chosen: (step, { fallback }) => {
        const asked = work.signals.find((one) => one.step === step);
        return chosenOf(asked, fallback, lane === 'live' && !work.waitOver);
      },
    },
    answers: {
      // What is judged again, or for a measurement, makes an answer of its own.
      take: async (key, forMs) =>
        lane === 'live' ? store.answers.take({ key, runId: lease.runId, forMs }) : { kind: 'make' },
      artifact: async (runId, name) => (await recordings.of(runId)).lastArtifact(name),
    },
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
  { ports, deadlinePauseMs, work, log, signal, intend }: Opening,
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
      await retryWhileStoreIsDown(signal, log, () => shelf.keep());
      return intend((held) => ({ ...intent, lease: held, inlineToolCalls: takeInlineCalls() }));
    },
    route: ports.routeOf(settings),
    deadlinePauseMs,
    promptSet: shelf.setId,
    thinkAloud: () =>
      thoughtsOf(strategyOf(ports.playbookNamed(settings.playbook), settings.strategy), prompts),
  };
  return new Journal({ ...work, key: keyOf(work.lease), seed }, journalPorts, signal);
}

/** The ports of a stage: what every world gives it, and what is of one world. */
export function portsWith({ ports, work, log, signal }: Opening, runId: string, own: OwnPorts): FlowPorts {
  const { caseId, lane, settings, lease } = work;
  const run = { runId, caseId, lane, unit: lease.unit, round: lease.round, settings };
  return { ...own, playbook: ports.playbookNamed(settings.playbook), run, clock: ports.clock, log, signal };
}

export function keyOf({ runId, unit, stage, round }: Lease): StageKey {
  return { runId, unit, stage, round };
}

/**
 * Returns the option that a person chose, or the fallback if the stage does not wait for a choice, or null if it does.
 * @param asked the record of the question; undefined: it was not asked.
 */
export function chosenOf(
  asked: SignalRecord | undefined,
  fallback: string,
  waits: boolean,
): ChosenOption | null {
  if (asked !== undefined && asked.value !== null)
    return { value: asked.value, by: asked.by, at: asked.givenAt };
  return waits ? null : { value: fallback, by: null, at: asked?.until ?? null };
}

// A stage that was given the end once is given it again, and it is on the record: a run that reads this one is given it at the
// same place.
function endOfAlert(
  { store }: Pick<WorldPorts, 'store'>,
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
