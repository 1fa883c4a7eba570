import type {
  RunSettings,
  TextReader,
  Clock,
  Ids,
  InlineToolCall,
  JsonObject,
  StageKey,
  ToolCall,
  ToolOffers,
  ToolRequest,
} from '@casefile/contracts';
import type { PromptTexts, StepTools } from '@casefile/pipeline';
import {
  chosenOption,
  stageKey,
  openJournal,
  portsWith,
  type Opening,
  type OwnPorts,
  type World,
} from '../calls/live-world.js';
import { withModelFeatures } from '../calls/model-features.js';
import { StageTools } from '../calls/stage-tools.js';
import { RecordedModel } from './recorded-model.js';
import type { Recording } from './recording.js';

type RecordedSettings = NonNullable<RunSettings['recorded']>;

/** Opens the world of a run that reads the record of another run instead of external systems. */
export async function recordedWorld(opening: Opening, recorded: RecordedSettings): Promise<World> {
  const { ports, work, signal } = opening;
  const { lease, settings } = work;
  const { ids, clock, recordings } = ports;
  const recording = await recordings.of(recorded.run);
  const key = stageKey(lease);
  const journal = openJournal(opening, () => tools.takeInlineCalls(), recording.seedOf(lease));
  const model = new RecordedModel({ key, settings, recording, ids }, journal);
  const tools = new RecordedTools(new StageTools(key, work, ports, signal), {
    key,
    recording,
    ids,
    clock,
    tell: (type, data) => journal.tell(type, data),
    read: (call, id) => model.readOfTool(id, recording.askedBy(call.id)),
  });
  const own: OwnPorts = {
    model: withModelFeatures(ports.modelFeatures, model, work),
    tools,
    signals: {
      chosen: (step, { fallback }) => {
        const question = recording.signalsAt(lease).find((one) => one.step === step);
        return chosenOption(question, fallback, false);
      },
    },
    answers: {
      // A replay reuses the answer that the recorded run reused. Any other run makes its own answer.
      take: async () => {
        const reused = recorded.misses === 'stop' ? recording.artifact('evidence')?.reused : undefined;
        return reused === undefined ? { kind: 'make' } : { kind: 'reuse', of: reused };
      },
      artifact: async (runId, name) => (await recordings.of(runId)).lastArtifact(name),
    },
    resolvedAt: async () => recording.resolvedAt(key, journal.stepsCalled.size),
    prompts: await openingPrompts(opening, recorded, recording),
    reader: recordingReader(recording, ports.reader),
  };
  return { ports: portsWith(opening, recorded.first ?? lease.runId, own), journal, tools, reads: model };
}

// A run that may not ask a model renders its prompts from the recorded texts.
async function openingPrompts(
  { ports: { storedPrompts }, prompts: { texts }, work: { lease } }: Opening,
  recorded: RecordedSettings,
  recording: Recording,
): Promise<PromptTexts> {
  if (recorded.misses !== 'stop' || recorded.prompts === 'now') return texts;
  const setId = recording.promptSetOf(lease);
  return (setId === null ? null : await storedPrompts.of(setId)) ?? texts;
}

/**
 * The text of an image is evidence too, so the image is not read again. Runs of an earlier release recorded
 * no such text if the alert had an image and a text, because only the text was read.
 */
function recordingReader(recording: Recording, reader: TextReader): TextReader {
  const brief = recording.artifact('brief');
  if (brief === undefined || brief.textSource === 'none') return reader;
  const { image: reading, text, textSource, ocrConfidence = 0 } = brief;
  const recorded = textSource === 'ocr' ? { text, confidence: ocrConfidence } : { text: '', confidence: 0 };
  const read = reading === undefined ? recorded : { ...recorded, text: reading.text, reading };
  return { read: async () => read, close: async () => undefined };
}

interface RecordedToolsWork {
  key: StageKey;
  recording: Recording;
  ids: Pick<Ids, 'id'>;
  clock: Clock;
  /** Adds an event to the trace. */
  tell(type: string, data: JsonObject): void;
  /** Called with each call that was read, and its id on this run's record. */
  read(call: ToolCall, id: string): void;
}

/**
 * Tools of a stage that reads the record of another run: every call is answered from the record, and none is
 * made. A call without a record is a gap, and an evidence miss in the trace.
 */
class RecordedTools implements StepTools {
  private readonly calls: ToolCall[] = [];
  private readonly read = new Set<string>();
  private unwritten: InlineToolCall[] = [];

  constructor(
    private readonly own: Pick<StepTools, 'describe' | 'entityTypes'>,
    private readonly work: RecordedToolsWork,
  ) {}

  /** Always local, because a recorded result needs no job. */
  locality(): 'local' {
    return 'local';
  }

  describe(tool: string): ReturnType<StepTools['describe']> {
    return this.own.describe(tool);
  }

  entityTypes(tool: string): readonly string[] {
    return this.own.entityTypes(tool);
  }

  offers(): ToolOffers {
    return this.work.recording.offers();
  }

  recorded(step: number): ToolCall[] {
    return this.calls.filter((call) => call.step === step).sort((a, b) => a.seq - b.seq);
  }

  async inline(step: number, requests: ToolRequest[]): Promise<ToolCall[]> {
    for (const [seq, request] of requests.entries())
      if (!this.calls.some((call) => call.step === step && call.seq === seq)) this.answer(step, seq, request);
    return this.recorded(step);
  }

  /** Returns the calls that are not on this run's record yet. */
  takeInlineCalls(): InlineToolCall[] {
    const calls = this.unwritten;
    this.unwritten = [];
    return calls;
  }

  private answer(step: number, seq: number, request: ToolRequest): void {
    const { key, recording, ids } = this.work;
    const recordedCall = recording.callOf(key, request, this.read);
    const id = ids.id();
    if (recordedCall === null) return this.miss(id, step, seq, request);
    this.read.add(recordedCall.id);
    const { args, tool } = request;
    // Verdicts refer to a call by its original id, so the id is taken from the first run that made the call.
    const first = recordedCall.readFrom ?? recordedCall.id;
    const call: ToolCall = { ...recordedCall, ...key, id: first, step, seq, tool, args };
    this.calls.push(call);
    this.unwritten.push({ ...call, id, readFrom: first });
    this.work.read(recordedCall, id);
  }

  private miss(id: string, step: number, seq: number, { tool, args }: ToolRequest): void {
    const at = new Date(this.work.clock.now()).toISOString();
    const call: ToolCall = {
      ...this.work.key,
      id,
      step,
      seq,
      tool,
      args,
      state: 'failed',
      attempts: 0,
      result: null,
      source: null,
      reasonCode: 'evidence_miss',
      message: 'The original run never asked this question.',
      durationMs: 0,
      createdAt: at,
      settledAt: at,
    };
    this.calls.push(call);
    this.unwritten.push(call);
    this.work.tell('evidence.missed', { what: 'tool', step, seq, tool, args });
  }
}
