import {
  CasefileError,
  type AnswerRead,
  type ClaimedWork,
  type InlineToolCall,
  type IntentRequest,
  type Lease,
  type Logger,
  type StageKey,
  type TextReader,
} from '@casefile/contracts';
import {
  strategyOf,
  thoughtsOf,
  type FlowPorts,
  type PromptTexts,
  type SharedAnswers,
  type StepModel,
  type StepSignals,
  type StepTools,
} from '@casefile/pipeline';
import type { ExecutorLimits, ExecutorPorts } from './executor-ports.js';
import { Journal } from '../calls/journal.js';
import type { Intent, JournaledWork } from '../calls/paid-attempts.js';
import { RecordedModel } from '../rerun/recorded-model.js';
import { RecordedTools } from '../rerun/recorded-tools.js';
import { RESOLUTION_READ, type Recording } from '../rerun/recording.js';
import { retryWhileStoreIsDown } from './retry-while-store-is-down.js';
import { sharedAnswers } from './shared-answers.js';
import { stageSignals } from './stage-signals.js';
import { StageTools } from '../calls/stage-tools.js';

/** What a stage works with while it is under way. */
export interface StageAt {
  journal: Journal;
  model: StepModel;
  signals: StepSignals;
  answers: SharedAnswers;
  tools: StepTools & { takeInlineCalls(stageFailed?: boolean): InlineToolCall[] };
  /** Answers of another run that were read and are not on the record of this one yet. */
  takeReads(): AnswerRead[];
  /** Of the run that its verdict names. */
  runId: string;
  /** As the stage is told it. */
  resolvedAt: FlowPorts['resolvedAt'];
  prompts: PromptTexts;
  reader: TextReader;
  log: Logger;
}

/** Writes an intent by the lease as it is then. */
type Intend = (write: (lease: Lease) => IntentRequest) => Promise<boolean>;

/** Opens what a stage works with: its journal and tools, or in their place the record of the run that it reads again. */
export async function openStage(
  { ports, limits }: { ports: ExecutorPorts; limits: ExecutorLimits },
  signal: AbortSignal,
  work: ClaimedWork,
  log: Logger,
  intend: Intend,
): Promise<StageAt> {
  const { runId, unit, stage, round } = work.lease;
  const key = { runId, unit, stage, round };
  const recording =
    work.settings.recorded === undefined ? null : await recordingOf(ports, work.settings.recorded.run);
  const stageTools = new StageTools(key, work, ports, signal);
  let tools: StageAt['tools'] = stageTools;
  // Named one by one: the ports are many, and a copy of all of them for each stage is not cheap.
  const { clock, ids, telemetry, calls, shelf } = ports;
  const journal = new Journal(
    journaled(work, key, recording?.seedOf(work.lease)),
    {
      calls,
      clock,
      ids,
      telemetry,
      intend: async (intent: Intent) => {
        await retryWhileStoreIsDown(signal, log, async () => shelf?.keep());
        return intend((lease) => ({ ...intent, lease, inlineToolCalls: tools.takeInlineCalls() }));
      },
      log,
      route: ports.routeOf(work.settings),
      deadlinePauseMs: limits.deadlinePauseMs ?? 0,
      promptSet: shelf?.setId,
      thinkAloud: () =>
        thoughtsOf(
          strategyOf(ports.playbookNamed(work.settings.playbook), work.settings.strategy),
          ports.prompts,
        ),
    },
    signal,
  );
  const { reader } = ports;
  const prompts = recording === null ? ports.prompts : await promptsOf(ports, work, recording);
  const signals = stageSignals(work, recording);
  const answers = sharedAnswers(ports, work, recording);
  if (recording === null) {
    const resolvedAt = endOfAlert(ports, work, journal);
    const own = { journal, model: journal, signals, answers, tools, takeReads: () => [] };
    return { ...own, runId, resolvedAt, prompts, reader, log };
  }
  const model = new RecordedModel({ key, settings: work.settings, recording, ids }, journal);
  tools = new RecordedTools(stageTools, {
    key,
    recording,
    ids,
    clock,
    tell: (type, data) => journal.tell(type, data),
    read: (call, id) => model.readOfTool(id, recording.askedBy(call.id)),
  });
  return {
    journal,
    model,
    signals,
    answers,
    tools,
    takeReads: () => model.takeReads(),
    runId: work.settings.recorded?.first ?? runId,
    resolvedAt: async () => recording.resolvedAt(key, journal.stepsCalled.size),
    prompts,
    reader: readerOf(recording, reader),
    log,
  };
}

/** What the stage itself is given. */
export function portsOf(
  at: StageAt,
  { lease: { unit, round }, caseId, lane, settings }: ClaimedWork,
  shared: Pick<FlowPorts, 'playbook' | 'clock' | 'signal'>,
): FlowPorts {
  const { runId, resolvedAt, model, signals, answers, tools, reader, prompts, log } = at;
  const { playbook, clock, signal } = shared;
  const run = { runId, caseId, lane, unit, round, settings };
  return { playbook, run, resolvedAt, model, signals, answers, tools, reader, prompts, clock, log, signal };
}

// What a stage was told once it is told again, and it is on the record: whoever reads the run again is told it at the same place.
function endOfAlert(
  { store }: Pick<ExecutorPorts, 'store'>,
  { caseId }: ClaimedWork,
  journal: Journal,
): FlowPorts['resolvedAt'] {
  let told: string | null = null;
  let underWay: Promise<void> | null = null;
  const read = async () => {
    const steps = journal.stepsCalled.size;
    told = await store.record.resolvedAt(caseId);
    if (told !== null) journal.tell(RESOLUTION_READ, { resolvedAt: told, steps });
  };
  return async () => {
    // Questions that are asked side by side are told the same.
    if (told === null) await (underWay ??= read().finally(() => (underWay = null)));
    return told;
  };
}

async function recordingOf(
  { recordings }: Pick<ExecutorPorts, 'recordings'>,
  runId: string,
): Promise<Recording> {
  if (recordings === undefined) throw new CasefileError('unexpected', 'there is nothing to read runs from');
  return recordings.of(runId);
}

// A run that asks nobody is told what was asked then, in the words of then.
async function promptsOf(
  { prompts, shelf }: Pick<ExecutorPorts, 'prompts' | 'shelf'>,
  { lease, settings: { recorded } }: ClaimedWork,
  recording: Recording,
): Promise<PromptTexts> {
  if (recorded?.misses !== 'stop' || recorded.prompts === 'now') return prompts;
  const setId = recording.promptSetOf(lease);
  return (setId === null ? null : await shelf?.of(setId)) ?? prompts;
}

function journaled(
  { caseId, lane, settings, interactions, pausedMs }: ClaimedWork,
  key: StageKey,
  seed: string | undefined,
): JournaledWork {
  const work = { key, caseId, lane, settings, interactions, pausedMs };
  return seed === undefined ? work : { ...work, seed };
}

/**
 * The text of an image is evidence too: it is not read off the image again. A run of an earlier release recorded no
 * reading: of an image next to a text it read nothing.
 */
function readerOf(recording: Recording, reader: TextReader): TextReader {
  const brief = recording.artifact('brief');
  if (brief === undefined || brief.textSource === 'none') return reader;
  const { image: reading, text, textSource, ocrConfidence = 0 } = brief;
  const recorded = textSource === 'ocr' ? { text, confidence: ocrConfidence } : { text: '', confidence: 0 };
  const read = reading === undefined ? recorded : { ...recorded, text: reading.text, reading };
  return { read: async () => read, close: async () => undefined };
}
