import type {
  Clock,
  Ids,
  InlineToolCall,
  JsonObject,
  Logger,
  StageKey,
  Telemetry,
  Tool,
  ToolBox,
  ToolCall,
  ToolModel,
  ToolRequest,
  ToolSettlement,
} from '@casefile/contracts';
import type { StepTools } from '@casefile/pipeline';
import { ATTRIBUTES, SPANS } from '@casefile/telemetry';

/** Runs one tool call within its limits; a failure is a settlement too, never an exception. */
export interface ToolRunner {
  /** @param model What the tool may ask; left out: it has to do without. */
  run(tool: string, args: JsonObject, signal: AbortSignal, model?: ToolModel): Promise<ToolSettlement>;
}

export interface StageToolsPorts {
  tools: Pick<ToolBox, 'named'>;
  runner: ToolRunner;
  clock: Clock;
  ids: Ids;
  log: Logger;
  telemetry: Telemetry;
}

/** Tool calls of one stage: local ones run here, all are read from the record when they are on it. */
export class StageTools implements StepTools {
  /** Run here, on the record or on their way to it. */
  private readonly made: ToolCall[] = [];
  /** Of those: what the next write takes along. */
  private unwritten: InlineToolCall[] = [];

  constructor(
    private readonly key: StageKey,
    /** Calls that are on the record, and the settings that the run was frozen with. */
    private readonly work: { toolCalls: readonly ToolCall[]; settings: { tools: readonly string[] } },
    private readonly ports: StageToolsPorts,
    private readonly signal: AbortSignal,
  ) {}

  locality(tool: string): 'local' | 'remote' | null {
    return this.named(tool)?.locality ?? null;
  }

  describe(tool: string): ReturnType<StepTools['describe']> {
    const found = this.named(tool);
    return found === null ? null : { description: found.description, asks: found.asks ?? found.args };
  }

  entityTypes(tool: string): readonly string[] {
    return this.named(tool)?.entityTypes ?? [];
  }

  recorded(step: number): ToolCall[] {
    return [...this.work.toolCalls, ...this.made]
      .filter((call) => call.step === step)
      .sort((a, b) => a.seq - b.seq);
  }

  async inline(step: number, requests: ToolRequest[]): Promise<ToolCall[]> {
    const known = new Set(this.recorded(step).map(({ seq }) => seq));
    const missing = requests.flatMap((request, seq) => (known.has(seq) ? [] : [{ request, seq }]));
    const calls = await Promise.all(missing.map(({ request, seq }) => this.runInline(step, seq, request)));
    this.signal.throwIfAborted();
    this.made.push(...calls);
    this.unwritten.push(...calls);
    return this.recorded(step);
  }

  /**
   * Hands over the inline calls that are not on the record yet.
   * @param stageFailed Those that failed are then left out: the stage may have failed for them, and is to ask again.
   */
  takeInlineCalls(stageFailed = false): InlineToolCall[] {
    const calls = this.unwritten;
    this.unwritten = [];
    return stageFailed ? calls.filter(({ state }) => state === 'succeeded') : calls;
  }

  // What the run was frozen with, and no more: a tool that is listed later is for later runs.
  private named(tool: string): Tool | null {
    return this.work.settings.tools.includes(tool) ? this.ports.tools.named(tool) : null;
  }

  private async runInline(step: number, seq: number, request: ToolRequest): Promise<ToolCall> {
    const createdAt = new Date(this.ports.clock.now()).toISOString();
    const { runner, telemetry } = this.ports;
    const attributes = { [ATTRIBUTES.operation]: SPANS.tool, [ATTRIBUTES.toolName]: request.tool };
    const settled = await telemetry.span(`${SPANS.tool} ${request.tool}`, attributes, () =>
      runner.run(request.tool, request.args, this.signal),
    );
    const settledAt = new Date(this.ports.clock.now()).toISOString();
    const id = this.ports.ids.id();
    return {
      ...this.key,
      id,
      step,
      seq,
      tool: request.tool,
      args: request.args,
      ...settled,
      createdAt,
      settledAt,
    };
  }
}
