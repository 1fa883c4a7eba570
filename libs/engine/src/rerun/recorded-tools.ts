import type {
  Clock,
  Ids,
  InlineToolCall,
  JsonObject,
  StageKey,
  ToolCall,
  ToolOffers,
  ToolRequest,
} from '@casefile/contracts';
import type { StepTools } from '@casefile/pipeline';
import type { Recording } from './recording.js';

export interface RecordedToolsWork {
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
export class RecordedTools implements StepTools {
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
