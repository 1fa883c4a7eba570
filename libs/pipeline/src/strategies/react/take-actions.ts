import {
  type ModelToolCall,
  type ToolCall,
  type ToolRequest,
  type Wait,
  OBSERVATION_SHOWN,
  summariseReasoning,
  type ModelResponse,
  type TraceAction,
  type TraceStep,
} from '@casefile/contracts';
import { askTools } from '../../ask-tools.js';
import { markHidden } from '../../language/without-disguises.js';
import { fencedText, drawMark } from '../../fence.js';
import { plainText, firstCodePoints } from '../../plain-text.js';
import type { LoopState, CallReport, Turn, TurnPorts } from './turn-state.js';
import { controllerTools, turnsBefore } from './turn-request.js';
import type { PlanReview } from './guide.js';
import { invalid, readAction, type ActionRules, type TurnAction } from './read-action.js';

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
    plan: turn.forced === null ? controller.guide?.plan : undefined,
    describe: ports.tools.describe.bind(ports.tools),
  };
  const read = toolCalls.map((call) => readAction(call, rules));
  const plan = reviewedPlan(read, at, state, turn, rules);
  if (plan !== null && plan.review.finish !== null)
    return finishedBy(toolCalls, plan.call, plan.review.finish);
  const actions = read.map((action) => guided(action, plan, at, state, turn));
  const finish = actions.find((action) => action.kind === 'finish');
  if (finish?.kind === 'finish') return finishedBy(toolCalls, finish.call, finish.answer);
  const wanted = newKeys([...(plan?.requested ?? []), ...actions], state, options.maxCallsPerTurn);
  const lookUps = await askTools(turn.iteration, wantedRequests(wanted, at), ports, options.toolWaitMs);
  if ('wait' in lookUps) return lookUps;
  const came = new Map([...wanted.keys()].map((key, i) => [key, lookUps.calls[i]!]));
  const reports = actions.map((action) =>
    action.kind === 'plan' && plan !== null
      ? planReport(plan, came, at, state, turn)
      : reportOf(action, came, at, state, turn),
  );
  return { ...withinBounds(toolCalls, reports), calls: lookUps.calls };
}

const finishedBy = (
  toolCalls: readonly ModelToolCall[],
  call: ModelToolCall,
  finished: unknown,
): TurnResult => ({ shownCalls: shownCalls(toolCalls, call), reports: [], calls: [], finished });

/** The plan of a turn with its review, and the look-ups that it requests. */
interface ReviewedPlan {
  call: ModelToolCall;
  value: unknown;
  review: PlanReview;
  requested: TurnAction[];
}

/** Returns the first plan of a turn with its review; null: the turn has none. */
function reviewedPlan(
  actions: readonly TurnAction[],
  { controller: { guide }, input, options }: TurnPorts,
  state: LoopState,
  turn: Turn,
  rules: ActionRules,
): ReviewedPlan | null {
  const stated = actions.find((action) => action.kind === 'plan');
  if (stated?.kind !== 'plan' || guide === undefined) return null;
  const review = guide.review(stated.value, turnsBefore(state, turn.iteration - 1, options), input);
  const requested = review.requests.map(({ tool, args }) =>
    readAction({ id: stated.call.id, name: tool, args }, rules),
  );
  return { call: stated.call, value: stated.value, review, requested };
}

/** Returns the action, or its refusal by the guide. */
function guided(
  action: TurnAction,
  plan: ReviewedPlan | null,
  { controller: { guide }, input, options }: TurnPorts,
  state: LoopState,
  turn: Turn,
): TurnAction {
  if (guide === undefined || turn.forced !== null) return action;
  if (action.kind === 'plan')
    return action.call === plan?.call
      ? action
      : invalid(action.call, 'too_many_calls', 'a turn states one plan at most');
  if (action.kind === 'invalid') return action;
  const request = action.kind === 'call' ? { tool: action.call.name, args: action.args } : null;
  const turns = turnsBefore(state, turn.iteration - 1, options);
  const problem = guide.refusal(request, plan?.value ?? null, turns, input);
  return problem === null ? action : invalid(action.call, 'refused', problem);
}

/** Report of a plan: the answer of the guide, then the result of each look-up. */
function planReport(
  { review, requested }: ReviewedPlan,
  came: ReadonlyMap<string, ToolCall>,
  at: TurnPorts,
  state: LoopState,
  turn: Turn,
): CallReport {
  const results = requested.map((action) => reportOf(action, came, at, state, turn).observation);
  const observation = markHidden(plainText([review.text, ...results].join('\n\n')));
  const text = fencedText(observation, drawMark(turn.draw, turn.iteration));
  return { text, observation, cached: false, reasonCode: null, source: null };
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
  if (action.kind !== 'call') throw new Error(`a call ${action.kind} gets no result of a tool`);
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
