import {
  canonicalJson,
  type ModelToolCall,
  type ToolCall,
  type ToolRequest,
  type Wait,
  MOST_ARGUMENT_BYTES,
  type JsonObject,
  type z,
  OBSERVATION_SHOWN,
  summariseReasoning,
  type ModelResponse,
  type TraceAction,
  type TraceStep,
} from '@casefile/contracts';
import { readValue } from '../../answers/read-object.js';
import { askTools } from '../../ask-tools.js';
import { markHidden } from '../../entities/hidden-characters.js';
import { fencedText, drawMark } from '../../fence.js';
import { plainText, inLine, firstCodePoints } from '../../plain-text.js';
import type { LoopState, CallReport, Turn, TurnPorts } from './turn-state.js';
import { controllerTools } from './turn-request.js';
import type { StepTools } from '../../stage-ports.js';

/** Results of the calls of a turn. */
export interface TurnResult {
  /** Calls of the turn that are reported to the model and shown in the trace, in order. */
  shownCalls: ModelToolCall[];
  /** Reports of these calls to the model, one per call; empty if the turn finished. */
  reports: CallReport[];
  /** Calls that were made in this turn. */
  calls: ToolCall[];
  /** Arguments of the finish call; absent: the turn did not finish. */
  finished?: unknown;
}

/**
 * Executes a turn: finishes if allowed, reports invalid calls, repeats earlier results, and calls tools for
 * the rest, concurrently.
 */
export async function takeActions(
  at: TurnPorts,
  state: LoopState,
  turn: Turn,
  toolCalls: readonly ModelToolCall[],
): Promise<TurnResult | { wait: Wait }> {
  const { controller, ports, options } = at;
  const tools = turn.forced === null ? controllerTools(controller, at.input) : [];
  const rules = {
    tools,
    finish: controller.finish,
    describe: ports.tools.describe.bind(ports.tools),
  };
  const actions = toolCalls.map((call) => readAction(call, rules));
  const finish = actions.find((action) => action.kind === 'finish');
  if (finish?.kind === 'finish')
    return {
      shownCalls: shownCalls(toolCalls, finish.call),
      reports: [],
      calls: [],
      finished: finish.answer,
    };
  const wanted = newKeys(actions, state, options.maxCallsPerTurn);
  const lookUps = await askTools(turn.iteration, wantedRequests(wanted, at), ports, options.toolWaitMs);
  if ('wait' in lookUps) return lookUps;
  const came = new Map([...wanted.keys()].map((key, i) => [key, lookUps.calls[i]!]));
  const reports = actions.map((action) => reportOf(action, came, at, state, turn));
  return { ...withinBounds(toolCalls, reports), calls: lookUps.calls };
}

/** Most calls of one turn without a new result (refused, repeated, too many) that are reported separately. */
const MOST_UNTAKEN = 10;

/**
 * Limits the text about a turn, because a turn may contain thousands of calls, and every later request
 * repeats the text.
 */
function withinBounds(
  calls: readonly ModelToolCall[],
  reports: readonly CallReport[],
): Pick<TurnResult, 'shownCalls' | 'reports'> {
  const kept: number[] = [];
  let untaken = 0;
  for (const [i, { source, cached }] of reports.entries()) {
    if (source === null || cached) untaken += 1;
    if ((source !== null && !cached) || untaken <= MOST_UNTAKEN) kept.push(i);
  }
  const left = reports.length - kept.length;
  const note = `\n${left} more calls of this turn were not taken either, and are not listed.`;
  return {
    shownCalls: kept.map((i) => calls[i]!),
    reports: kept.map((i, at) => {
      const callReport = reports[i]!;
      return left === 0 || at < kept.length - 1
        ? callReport
        : { ...callReport, text: callReport.text + note, observation: callReport.observation + note };
    }),
  };
}

/** First calls of a turn that finished, including the finish call. */
function shownCalls(calls: readonly ModelToolCall[], finish: ModelToolCall): ModelToolCall[] {
  return calls.filter((call, i) => i < MOST_UNTAKEN || call === finish);
}

type CallAction = Extract<TurnAction, { kind: 'call' }>;

/** Returns the new calls without repeats, up to the limit of a turn. */
function newKeys(
  actions: readonly TurnAction[],
  { known }: LoopState,
  most: number,
): Map<string, CallAction> {
  const wanted = new Map<string, CallAction>();
  for (const action of actions) {
    if (action.kind !== 'call' || known.has(action.key) || wanted.size >= most) continue;
    if (!wanted.has(action.key)) wanted.set(action.key, action);
  }
  return wanted;
}

function wantedRequests(
  wanted: ReadonlyMap<string, CallAction>,
  { controller, input, ports }: TurnPorts,
): ToolRequest[] {
  return [...wanted.values()].map(({ call, args }) => ({
    tool: call.name,
    args: { ...args, ...controller.bind(call.name, input, ports.run.unit, args) },
  }));
}

function reportOf(
  action: TurnAction,
  came: ReadonlyMap<string, ToolCall>,
  at: TurnPorts,
  state: LoopState,
  turn: Turn,
): CallReport {
  if (action.kind === 'invalid') return refusedReasonCode(action.reasonCode, `error: ${action.problem}`);
  if (action.kind === 'finish') throw new Error('a turn that finishes gets no result');
  const before = state.known.get(action.key);
  if (before !== undefined) return { ...before, cached: true };
  const call = came.get(action.key);
  if (call === undefined)
    return refusedReasonCode(
      'too_many_calls',
      `error: not called: a turn has ${at.options.maxCallsPerTurn} calls at most`,
    );
  const place = state.calls.length + [...came.values()].indexOf(call);
  const observation = markHidden(plainText(at.controller.observe(call, state.calls, at.input, place)));
  const reasonCode = call.state === 'succeeded' ? null : (call.reasonCode ?? 'tool_timeout');
  const report = { observation, cached: false, reasonCode, source: call };
  const text = fencedText(observation, drawMark(turn.draw, turn.iteration));
  // A failed call may succeed later, so only successful results count as known.
  if (reasonCode === null) state.known.set(action.key, { ...report, text });
  return { ...report, text };
}

const refusedReasonCode = (reasonCode: string, text: string): CallReport => ({
  text,
  observation: text,
  cached: false,
  reasonCode,
  source: null,
});

/** One call of a model, after validation. */
type TurnAction =
  | { kind: 'finish'; call: ModelToolCall; answer: unknown }
  | { kind: 'call'; call: ModelToolCall; args: JsonObject; key: string }
  /** Returned as an observation for the model to correct. */
  | { kind: 'invalid'; call: ModelToolCall; reasonCode: string; problem: string };

interface ActionRules {
  /** Tools that may be called now. */
  tools: readonly string[];
  finish: { name: string; schema: z.ZodType };
  describe: StepTools['describe'];
}

/** Validates one call: its tool must be offered, and its arguments must fit the tool's schema. */
function readAction(call: ModelToolCall, { tools, finish, describe }: ActionRules): TurnAction {
  if (call.cutFrom !== undefined)
    return invalid(
      call,
      'invalid_arguments',
      `the arguments have ${call.cutFrom} bytes; ${MOST_ARGUMENT_BYTES} are the most`,
    );
  if (call.name === finish.name) {
    const read = readValue(finish.schema, call.args);
    if ('value' in read) return { kind: 'finish', call, answer: read.value };
    return invalid(call, 'invalid_arguments', problemsOf(read));
  }
  const tool = tools.includes(call.name) ? describe(call.name) : null;
  if (tool === null) {
    const known = [...tools, finish.name].join(', ');
    return invalid(
      call,
      'unknown_tool',
      `there is no tool ${JSON.stringify(inLine(call.name, 80))}; there are: ${known}`,
    );
  }
  const read = readValue(tool.asks, call.args);
  if ('problems' in read) return invalid(call, 'invalid_arguments', problemsOf(read));
  const args = read.value as JsonObject;
  // Calls are equal regardless of the order of keys and of surrounding blanks.
  const same = canonicalJson(args, (text) => text.trim().replace(/\s+/g, ' '));
  return { kind: 'call', call, args, key: `${call.name} ${same}` };
}

function invalid(call: ModelToolCall, reasonCode: string, problem: string): TurnAction {
  return { kind: 'invalid', call, reasonCode, problem };
}

function problemsOf({ problems }: { problems: string[] }): string {
  return `the arguments do not fit: ${problems.slice(0, 5).join('; ')}`;
}

/** One turn as shown in the trace. */
export function traceStep(
  { iteration, forced }: Turn,
  response: ModelResponse,
  { shownCalls: calls, reports }: TurnResult,
): TraceStep {
  const { usage, costUsd } = response;
  return {
    iteration,
    step: iteration,
    forced: forced !== null,
    thought: modelResponseThought(response),
    actions: calls.map(({ name, args }, i) => ({ tool: name, args, ...reportedAction(reports[i]) })),
    tokens: { input: usage.inputTokens, output: usage.outputTokens },
    costUsd,
  };
}

// The text of the answer is its thought. The model's whole reasoning is stored with the interaction, because
// the trace is delivered with the verdict.
function modelResponseThought({ content, reasoning }: ModelResponse): string {
  const said = plainText(content).trim();
  if (said !== '') return firstCodePoints(said, OBSERVATION_SHOWN);
  return summariseReasoning(plainText(reasoning?.content ?? '').trim());
}

// A finishing turn has no text about calls, because its outcome is the result.
function reportedAction(report: CallReport | undefined): Omit<TraceAction, 'tool' | 'args'> {
  const { observation = '', cached = false, reasonCode = null, source = null } = report ?? {};
  const shown = firstCodePoints(observation, OBSERVATION_SHOWN);
  return {
    observation: shown,
    cut: shown !== observation,
    cached,
    reasonCode,
    toolCallId: source?.id ?? null,
    durationMs: cached ? 0 : (source?.durationMs ?? null),
  };
}
