import type {
  AnswerRead,
  CaseStore,
  ChosenOption,
  ClaimedWork,
  InlineToolCall,
  IntentRequest,
  Lease,
  Logger,
  SignalRecord,
  StageKey,
  TextReader,
} from '@casefile/contracts';
import {
  playbookForRun,
  playbookStrategy,
  thoughtsOf,
  type FlowPorts,
  type Playbook,
} from '@casefile/pipeline';
import { retryWhileStoreIsDown } from '../leases/retry-while-store-is-down.js';
import { RESOLUTION_READ, type Recordings } from '../rerun/recording.js';
import { Journal, type SharedCalls } from './journal.js';
import { withModelFeatures, type ModelFeatures } from './model-features.js';
import type { RunModels } from './model-plan.js';
import type { Intent } from './stage-call.js';
import type { StoredPrompts, RunPrompts } from './stored-prompts.js';
import { StageTools, type StageToolsPorts } from './stage-tools.js';

/** Ports shared by the worlds of all stages. */
export interface WorldPorts extends StageToolsPorts {
  store: Pick<CaseStore, 'record' | 'answers'>;
  models: RunModels;
  /** Ports shared by all model calls. */
  calls: SharedCalls;
  /** Returns the records of runs that other runs replay. */
  recordings: Pick<Recordings, 'of'>;
  playbooks: readonly Playbook[];
  /** Stores the texts of prompts. */
  storedPrompts: Pick<StoredPrompts, 'ofRun' | 'of'>;
  reader: TextReader;
  modelFeatures: ModelFeatures;
  /** Returns a text with masked secrets. */
  withoutSecrets: FlowPorts['withoutSecrets'];
}

/** Ports to everything outside a stage: external systems, or the record of another run. */
export interface World {
  ports: FlowPorts;
  /** Model calls of the stage, and its additions to the trace. */
  journal: Journal;
  tools: Pick<StageTools, 'takeInlineCalls'>;
  /** Answers of another run that the stage read. null: the stage reads no other run. */
  reads: { takeReads(): AnswerRead[] } | null;
}

/** Inputs for opening a stage's world. */
export interface Opening {
  ports: WorldPorts;
  /** Longest time without a worker by which the deadline of a step is moved, in milliseconds. */
  deadlinePauseMs: number;
  work: ClaimedWork;
  /** Texts that the run was frozen with. */
  prompts: RunPrompts;
  log: Logger;
  /** Aborted when the lease is lost or the process stops. */
  signal: AbortSignal;
  /** Writes an intent under the current lease. */
  intend(intent: Omit<IntentRequest, 'lease'>): Promise<boolean>;
}

/** The ports of a stage that are different in each world. */
export type OwnPorts = Omit<FlowPorts, 'playbook' | 'run' | 'withoutSecrets' | 'clock' | 'log' | 'signal'>;

/** Opens the sources of a live run: its models, tools and people are called, not read from another run. */
export async function liveWorld(opening: Opening): Promise<World> {
  const { ports, work, prompts, signal } = opening;
  const { store, recordings, reader } = ports;
  const { lease, lane } = work;
  const tools = new StageTools(stageKey(lease), work, ports, signal);
  const journal = openJournal(opening, () => tools.takeInlineCalls());
  let resolvedAt: string | null = null;
  let reading: Promise<string | null> | null = null;
  const own: OwnPorts = {
    model: withModelFeatures(ports.modelFeatures, journal, work),
    tools,
    signals: {
      chosen: (step, { fallback }) => {
        const question = work.signals.find((one) => one.step === step);
        return chosenOption(question, fallback, lane === 'live' && !work.waitOver);
      },
    },
    answers: {
      // A rerun or a measurement does not reuse answers of other runs.
      take: async (key, forMs) =>
        lane === 'live' ? store.answers.take({ key, runId: lease.runId, forMs }) : { kind: 'make' },
      artifact: async (runId, name) => (await recordings.of(runId)).lastArtifact(name),
    },
    // Concurrent calls share one read of when the sender resolved the alert. A stage that has read the time always
    // gets the same time, so that a retry decides in the same way.
    resolvedAt: async () =>
      (resolvedAt ??= await (reading ??= readEnd(opening, journal).finally(() => (reading = null)))),
    prompts: prompts.texts,
    reader,
  };
  return { ports: portsWith(opening, lease.runId, own), journal, tools, reads: null };
}

// Records the time, so that a replay of this run reads it at the same step.
async function readEnd({ ports, work }: Opening, journal: Journal): Promise<string | null> {
  const steps = journal.stepsCalled.size;
  const resolvedAt = await ports.store.record.resolvedAt(work.caseId);
  if (resolvedAt !== null) journal.tell(RESOLUTION_READ, { resolvedAt, steps });
  return resolvedAt;
}

/**
 * Returns the journal of a stage.
 * @param takeInlineCalls returns the tool calls that an intent writes with the model call, each of them only
 * one time.
 * @param seed derives the marks if no draw is recorded yet.
 */
export function openJournal(
  { ports, deadlinePauseMs, work, prompts, log, signal, intend }: Opening,
  takeInlineCalls: () => InlineToolCall[],
  seed?: string,
): Journal {
  // Listed individually, because copying all ports for each stage takes measurable time.
  const { clock, ids, telemetry, calls, playbooks } = ports;
  const { lane, settings } = work;
  const journalPorts = {
    calls: lane === 'shadow' ? { ...calls, ...calls.ofShadow } : calls,
    clock,
    ids,
    telemetry,
    log,
    intend: async (intent: Intent) => {
      await retryWhileStoreIsDown(signal, log, () => prompts.keep());
      return intend({ ...intent, inlineToolCalls: takeInlineCalls() });
    },
    route: ports.models.routeOf(settings),
    deadlinePauseMs,
    promptSet: prompts.setId,
    thinkAloud: () =>
      thoughtsOf(playbookStrategy(playbookForRun(settings, playbooks), settings.strategy), prompts.texts),
  };
  return new Journal({ ...work, key: stageKey(work.lease), seed }, journalPorts, signal);
}

/** Returns the ports of a stage: those that all worlds share, and those of one world. */
export function portsWith({ ports, work, log, signal }: Opening, runId: string, own: OwnPorts): FlowPorts {
  const { caseId, lane, settings, lease } = work;
  const run = { runId, caseId, lane, unit: lease.unit, round: lease.round, settings };
  const playbook = playbookForRun(settings, ports.playbooks);
  const { withoutSecrets, clock } = ports;
  return { ...own, playbook, run, withoutSecrets, clock, log, signal };
}

export function stageKey({ runId, unit, stage, round }: Lease): StageKey {
  return { runId, unit, stage, round };
}

/**
 * Returns the option that a person chose. Without a choice, returns the fallback, or null if the stage waits.
 * @param question the record of the question; undefined: no question was asked.
 */
export function chosenOption(
  question: SignalRecord | undefined,
  fallback: string,
  waits: boolean,
): ChosenOption | null {
  if (question !== undefined && question.value !== null)
    return { value: question.value, by: question.by, at: question.givenAt };
  return waits ? null : { value: fallback, by: null, at: question?.until ?? null };
}
