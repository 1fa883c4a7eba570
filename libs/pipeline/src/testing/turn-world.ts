import {
  CasefileError,
  type Clock,
  type Draft,
  type Draw,
  type Json,
  type JsonObject,
  type ModelRequest,
  type ModelResponse,
  type ModelToolCall,
  type Outcome,
  type RunSettings,
  type ToolCall,
  type ToolRequest,
  z,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { playbookStrategy, type Playbook } from '../playbook.js';
import type { StepModel, StepTools } from '../stage-ports.js';
import type { ReasonInput } from '../strategy.js';
import { fakePorts, type LogLine } from './fake-ports.js';

/** Action of a model in a turn: it calls tools, writes prose, or fails. */
export type ScriptedTurn = Partial<ModelResponse> | CasefileError;
export type TurnScript = readonly ScriptedTurn[] | ((request: ModelRequest, turn: number) => ScriptedTurn);

export const call = (name: string, args: Json, id = `call-${name}`): ModelToolCall => ({ id, name, args });
/** A turn that calls these tools. */
export const calls = (...toolCalls: ModelToolCall[]): ScriptedTurn => ({
  toolCalls,
  finishReason: 'tool_calls',
});

/** A tool of the world: its answers, and whether it runs as a separate job. */
export interface WorldTool {
  asks: z.ZodType;
  locality?: 'local' | 'remote';
  answer(args: JsonObject): Json | CasefileError;
}

export interface WorldOptions {
  playbook: Playbook;
  input: ReasonInput;
  unit?: string;
  script: TurnScript;
  tools: Record<string, WorldTool>;
  options?: JsonObject;
  settings?: Partial<RunSettings>;
  /**
   * Returns the time at which the sender reported the end, after this many paid calls. Default: no report.
   */
  resolvedAt?(paid: number): string | null;
  clock?: Clock & { advance(ms: number): void };
}

export interface Played {
  outcome: Outcome<Draft>;
  /** Requests that were paid for, in their order. */
  paid: ModelRequest[];
  /** Tool calls on the record. */
  recorded: ToolCall[];
  /** Number of times that the strategy began. Each wait begins it again. */
  renderings: number;
  lines: LogLine[];
}

/**
 * Plays the strategy `react` over a record that outlives each rendering, as the executor and the store do: a wait runs
 * its calls and begins again, a step that is on the record is not paid again.
 * @param crashAfter begins again, with what was recorded, after so many paid calls: the death of a worker at that place.
 */
export async function playTurns(world: WorldOptions, crashAfter?: number): Promise<Played> {
  const record = new WorldRecord(world);
  let died = crashAfter === undefined;
  for (let renderings = 1; renderings < 100; renderings += 1) {
    const ports = portsOf(world, record);
    ports.resolvedAt = async () => world.resolvedAt?.(record.paid.length) ?? null;
    record.dieAfter = died ? null : crashAfter!;
    try {
      const outcome = await playbookStrategy(world.playbook, 'react').reason(world.input, ports);
      if (outcome.kind === 'wait') record.work(outcome.step, outcome.calls);
      else return { outcome, paid: record.paid, recorded: record.calls, renderings, lines: ports.lines };
    } catch (thrown) {
      if (!(thrown instanceof WorkerDied)) throw thrown;
      died = true;
    }
  }
  throw new Error('the strategy does not end');
}

class WorkerDied extends Error {}

class WorldRecord {
  readonly paid: ModelRequest[] = [];
  readonly calls: ToolCall[] = [];
  dieAfter: number | null = null;
  private readonly answers = new Map<number, { request: string; response: ModelResponse }>();
  drawn: Draw | null = null;

  constructor(private readonly world: WorldOptions) {}

  has(step: number): boolean {
    return this.answers.has(step);
  }

  async ask(step: number, request: ModelRequest): Promise<ModelResponse> {
    const before = this.answers.get(step);
    const requestText = JSON.stringify(request);
    if (before !== undefined) {
      if (before.request !== requestText)
        throw new Error(`step ${step} asks otherwise than it is on the record`);
      return before.response;
    }
    const { script } = this.world;
    const turn = typeof script === 'function' ? script(request, step) : script[this.paid.length];
    if (turn === undefined) throw new Error('the script has no further turn');
    this.paid.push(structuredClone(request));
    if (turn instanceof CasefileError) throw turn;
    const response = responseOf(turn);
    this.answers.set(step, { request: requestText, response });
    if (this.paid.length === this.dieAfter) throw new WorkerDied();
    return response;
  }

  /** Runs what is not on the record yet. */
  work(step: number, requests: readonly ToolRequest[]): ToolCall[] {
    const before = this.calls.filter((one) => one.step === step);
    const fresh = requests
      .slice(before.length)
      .map((request, i) => this.run(step, before.length + i, request));
    this.calls.push(...fresh);
    return [...before, ...fresh];
  }

  private run(step: number, seq: number, { tool, args }: ToolRequest): ToolCall {
    const came = this.world.tools[tool]?.answer(args) ?? new CasefileError('unknown_tool', tool);
    const failed = came instanceof CasefileError;
    const at = '2026-01-05T10:00:00.000Z';
    return {
      runId: 'run-1',
      unit: 'c1',
      stage: 'reason',
      round: 1,
      id: `call-${step}-${seq}`,
      step,
      seq,
      tool,
      args,
      state: failed ? 'failed' : 'succeeded',
      attempts: 1,
      result: failed ? null : came,
      source: 'test',
      reasonCode: failed ? came.reasonCode : null,
      message: failed ? came.message : null,
      durationMs: 3,
      createdAt: at,
      settledAt: at,
    };
  }
}

function portsOf(world: WorldOptions, record: WorldRecord) {
  const { playbook, options = {}, settings = {} } = world;
  const clock = world.clock ?? manualClock();
  const ports = fakePorts({
    playbook,
    clock,
    settings: { ...settings, options: { ...playbook.options.defaults, ...options } },
  });
  const model: StepModel = {
    available: true,
    recorded: (step) => record.has(step),
    draw: (ms) => (record.drawn ??= { seed: 'seed', deadlineAt: ms === null ? null : clock.now() + ms }),
    call: (step, request) => record.ask(step, request),
  };
  const tools: StepTools = {
    locality: (tool) => (world.tools[tool] === undefined ? null : (world.tools[tool].locality ?? 'local')),
    entityTypes: () => [],
    describe: (tool) => {
      const answerOfTool = world.tools[tool];
      return answerOfTool === undefined
        ? null
        : { description: `The tool ${tool}.`, asks: answerOfTool.asks };
    },
    offers: () => ({ tools: [], out: [] }),
    inline: async (step, requests) => record.work(step, requests),
    recorded: (step) => record.calls.filter((one) => one.step === step),
  };
  return { ...ports, run: { ...ports.run, unit: world.unit ?? 'c1' }, model, tools };
}

function responseOf(turn: Partial<ModelResponse>): ModelResponse {
  return {
    provider: 'fake',
    model: 'fake-1',
    content: '',
    toolCalls: [],
    finishReason: 'stop',
    reasoning: null,
    usage: { inputTokens: 500, outputTokens: 50, reasoningTokens: 0, cachedTokens: 0 },
    raw: null,
    costUsd: 0.001,
    ...turn,
  };
}
