import {
  argumentsSchema,
  type ArtifactSet,
  type Clock,
  type Evidence,
  type FrozenTool,
  type Ids,
  type InlineToolCall,
  type Logger,
  type StageKey,
  type Telemetry,
  type Tool,
  type ToolBox,
  type ToolCall,
  type ToolOffers,
  type ToolRequest,
  type ToolRunner,
  type z,
} from '@casefile/contracts';
import type { StepTools } from '@casefile/pipeline';
import { ATTRIBUTES, SPANS } from '@casefile/telemetry';
import { runWhileStoreIsDown } from '../leases/retry-while-store-is-down.js';

export interface StageToolsPorts {
  tools: Pick<ToolBox, 'named' | 'offers'>;
  runner: ToolRunner;
  clock: Clock;
  ids: Ids;
  log: Logger;
  telemetry: Telemetry;
}

/** Tool calls of one stage. Results of recorded calls are reused. Other calls of local tools are made here. */
export class StageTools implements StepTools {
  /** Calls made here, recorded or still to be written. */
  private readonly inlineCalls: ToolCall[] = [];
  /** Calls of `inlineCalls` that the next write includes. */
  private unwritten: InlineToolCall[] = [];

  constructor(
    private readonly key: StageKey,
    /** Recorded calls, with the settings and external tools that the run was frozen with. */
    private readonly work: {
      toolCalls: readonly ToolCall[];
      settings: { tools: readonly string[] };
      artifacts?: ArtifactSet;
    },
    private readonly ports: StageToolsPorts,
    private readonly signal: AbortSignal,
  ) {}

  locality(tool: string): 'local' | 'remote' | null {
    return this.frozen(tool) === null ? (this.toolNamed(tool)?.locality ?? null) : 'remote';
  }

  describe(tool: string): ReturnType<StepTools['describe']> {
    const frozen = this.frozen(tool);
    if (frozen !== null) {
      const { description, parameters } = frozen;
      return { description, asks: frozenToolCheck(frozen), parameters };
    }
    const definition = this.toolNamed(tool);
    if (definition === null) return null;
    const { description, args, asks = args, parameters } = definition;
    return { description, asks, ...(parameters === undefined ? {} : { parameters }) };
  }

  offers(): ToolOffers {
    return this.ports.tools.offers(this.work.settings.tools);
  }

  entityTypes(tool: string): readonly string[] {
    return this.toolNamed(tool)?.entityTypes ?? [];
  }

  recorded(step: number): ToolCall[] {
    return [...this.work.toolCalls, ...this.inlineCalls]
      .filter((call) => call.step === step)
      .sort((a, b) => a.seq - b.seq);
  }

  async inline(step: number, requests: ToolRequest[]): Promise<ToolCall[]> {
    const recordedSeqs = new Set(this.recorded(step).map(({ seq }) => seq));
    const missing = requests.flatMap((request, seq) => (recordedSeqs.has(seq) ? [] : [{ request, seq }]));
    const calls = await Promise.all(missing.map(({ request, seq }) => this.runInline(step, seq, request)));
    this.signal.throwIfAborted();
    this.inlineCalls.push(...calls);
    this.unwritten.push(...calls);
    return this.recorded(step);
  }

  /**
   * Returns the inline calls that are not recorded yet.
   * @param stageFailed If true, failed calls are left out: they may have caused the failure of the stage, so
   * its retry makes them again.
   */
  takeInlineCalls(stageFailed = false): InlineToolCall[] {
    const calls = this.unwritten;
    this.unwritten = [];
    return stageFailed ? calls.filter(({ state }) => state === 'succeeded') : calls;
  }

  private frozen(tool: string): FrozenTool | null {
    // The evidence was checked against its schema when it was written.
    const evidence = this.work.artifacts?.evidence as unknown as Evidence | undefined;
    return evidence?.tools?.find(({ name }) => name === tool) ?? null;
  }

  // Offers only tools that the run was frozen with. Tools listed later are for later runs.
  private toolNamed(tool: string): Tool | null {
    return this.work.settings.tools.includes(tool) ? this.ports.tools.named(tool) : null;
  }

  private async runInline(step: number, seq: number, request: ToolRequest): Promise<ToolCall> {
    const createdAt = new Date(this.ports.clock.now()).toISOString();
    const { runner, telemetry, log } = this.ports;
    const attributes = { [ATTRIBUTES.operation]: SPANS.tool, [ATTRIBUTES.toolName]: request.tool };
    const settled = await telemetry.span(`${SPANS.tool} ${request.tool}`, attributes, () =>
      runWhileStoreIsDown(this.signal, log, () =>
        runner.run(request.tool, request.args, this.signal, undefined, this.key.runId),
      ),
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

/** Keyed by the entry's hash. Parsing a schema takes milliseconds, and every turn of every case needs it. */
const checks = new Map<string, z.ZodType>();
const MOST_CHECKS = 1_000;

function frozenToolCheck({ hash, parameters }: FrozenTool): z.ZodType {
  const cachedCheck = checks.get(hash);
  if (cachedCheck !== undefined) return cachedCheck;
  const check = argumentsSchema(parameters);
  if (checks.size >= MOST_CHECKS) checks.clear();
  checks.set(hash, check);
  return check;
}
