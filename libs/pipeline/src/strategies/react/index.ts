import {
  canonicalJson,
  done,
  type Later,
  type ModelRequest,
  type ModelResponse,
  type ModelToolCall,
  type Wait,
} from '@casefile/contracts';
import { fallBack } from '../one-answer.js';
import type { Controller, LoopEnd, EvaluationCost, TurnOptions } from './controller.js';
import { Progress } from './progress.js';
import type { Rules, Strategy } from '../../strategy.js';
import { insideFences, drawMark } from '../../fence.js';
import type { Options } from '../../options.js';
import { afterModelFailure, NOTHING_SPENT, leadsPast, withCalls, withResponse } from './spending.js';
import { turnRequest, turnText, turnsBefore } from './turn-request.js';
import { takeActions, type TurnResult, traceStep } from './take-actions.js';
import type { LoopState, CallReport, Turn, TurnPorts } from './turn-state.js';

const STRATEGY = 'react';

/**
 * Lets a model choose its tools turn by turn until it finishes (reason and act). The unit waits suspended
 * while tools run, and every turn is recorded.
 */
export function react(controller: Controller, rules: Rules, options: Options<TurnOptions>): Strategy {
  return {
    prompts: { controller: controller.prompt, ...controller.morePrompts },
    // Tools that differ per case are checked against the case's frozen list, not the playbook's.
    tools: typeof controller.tools === 'function' ? [] : controller.tools,
    ...(controller.thinkAloud === undefined ? {} : { thinkAloud: controller.thinkAloud }),
    async reason(input, ports) {
      if (!ports.model.available) return fallBack({ strategy: STRATEGY, rules }, input, ports, 'no_provider');
      const figures = options.read(ports.run.settings.options);
      const end = await runTurns({ controller, input, ports, options: figures });
      if ('kind' in end) return end;
      const draft = await controller.settle(end, input, ports);
      if ('kind' in draft) return draft;
      return done({ ...draft, strategy: STRATEGY, promptId: ports.prompts.of(controller.prompt).id });
    },
  };
}

/** Consecutive turns without a call after which the model may only finish. */
const MOST_PROSE = 2;
/**
 * Number of tool rounds that a hard limit always permits. With fewer, most checks could not decide anything.
 */
const FREE_ROUNDS = 2;

/**
 * Lets a model think, act and observe until it finishes. Each turn is a journal step and its tool calls are
 * recorded. So a worker that continues after a wait or a crash reads the earlier turns and pays only for the
 * next one.
 */
async function runTurns(at: TurnPorts): Promise<LoopEnd<unknown> | Wait | Later> {
  const { controller, input, ports, options } = at;
  const draw = ports.model.draw(options.patienceMs);
  const mark = drawMark(draw, 0);
  const messages = controller.open(input, ports.run.unit, mark, ports.prompts);
  const state: LoopState = {
    messages,
    trace: [],
    calls: [],
    known: new Map<string, CallReport>(),
    spent: NOTHING_SPENT,
    model: null,
    remarks: new Set<string>(),
    refusedFinishes: new Set<string>(),
    prose: 0,
    progress: new Progress(messages.flatMap(({ content }) => insideFences(content, mark))),
    barren: 0,
    notes: [],
  };
  for (let iteration = 1; ; iteration += 1) {
    // A resolved alert needs no new answer, but recorded answers are still read.
    const mayEnd = controller.endsWhenResolved === true && !ports.model.recorded(iteration);
    if (mayEnd && (await ports.resolvedAt()) !== null) return endedState(state, null, 'resolved');
    const forced = whyFinishNow(at, state, iteration);
    if (forced !== null && controller.settlesForced === true) return endedState(state, null, forced);
    const came = await takeTurn(at, state, { iteration, forced, draw });
    if (came !== null) return came;
  }
}

/** @returns the end or pause of the loop after this turn; null: it continues. */
async function takeTurn(
  at: TurnPorts,
  state: LoopState,
  turn: Turn,
): Promise<LoopEnd<unknown> | Wait | Later | null> {
  const request = turnRequest(at, state, turn.iteration, turn.forced !== null);
  const reply = await ask(at, request, turn);
  if ('later' in reply) return reply.later;
  if ('reasonCode' in reply) return endedState(state, null, reply.reasonCode, reply.error.reasonCode);
  const { response } = reply;
  state.spent = withResponse(state.spent, request, response);
  state.model = response.model;
  const taken = await takeActions(at, state, turn, response.toolCalls);
  if ('wait' in taken) return taken.wait;
  state.spent = withCalls(state.spent, taken.calls);
  state.calls.push(...taken.calls);
  state.trace.push(traceStep(turn, response, taken));
  if (taken.finished !== undefined) return endedState(state, taken.finished, turn.forced);
  const refused = response.toolCalls.filter(({ name }) => name === at.controller.finish.name);
  if (turn.forced !== null)
    return endedState(state, null, refused.length > 0 ? 'invalid_schema' : turn.forced);
  if (repeatsRefused(refused, state)) return endedState(state, null, 'invalid_schema');
  remember(state, response, taken);
  if (at.controller.endsAfterBarren !== undefined)
    state.barren = state.progress.note(taken.calls) ? 0 : state.barren + 1;
  await reflect(at, state, turn.iteration);
  if (state.prose > 0) state.messages.push({ role: 'user', content: turnText(at).render({ 'no-call': {} }) });
  return null;
}

/**
 * Returns whether an earlier turn tried to finish with the same arguments and got the error as its result.
 */
function repeatsRefused(refused: readonly ModelToolCall[], { refusedFinishes }: LoopState): boolean {
  const keys = refused.map(({ args }) => canonicalJson(args));
  const isRepeated = keys.some((key) => refusedFinishes.has(key));
  for (const key of keys) refusedFinishes.add(key);
  return isRepeated;
}

/** Distance of the steps after turns from the steps of turns. */
const STEP_AFTER_TURN = 10_000;

async function reflect({ controller, input, ports, options }: TurnPorts, state: LoopState, taken: number) {
  if (controller.afterTurn === undefined) return;
  const turns = turnsBefore(state, taken, options);
  const { tokens, note } = await controller.afterTurn(turns, STEP_AFTER_TURN + taken, input, ports);
  if (note !== null) state.notes.push({ turn: taken, text: note });
  const { spent } = state;
  state.spent = { ...spent, tokens: { ...spent.tokens, input: spent.tokens.input + tokens } };
}

function remember(
  state: LoopState,
  response: ModelResponse,
  { reports, shownCalls: toolCalls }: TurnResult,
): void {
  const { content, providerState } = response;
  // State that is sent back verbatim contains all calls, and each call needs a result.
  const isWhole = toolCalls.length === response.toolCalls.length;
  state.messages.push({
    role: 'assistant' as const,
    content,
    ...(toolCalls.length === 0 ? {} : { toolCalls: [...toolCalls] }),
    ...(providerState === undefined || !isWhole ? {} : { providerState }),
  });
  for (const [i, { text, reasonCode }] of reports.entries()) {
    const failed = reasonCode === null ? {} : { isError: true };
    state.messages.push({ role: 'tool', toolCallId: toolCalls[i]!.id, content: text, ...failed });
  }
  state.prose = toolCalls.length === 0 ? state.prose + 1 : 0;
}

/**
 * Returns why the model may only finish: turns or money are used up, or it does not call tools; null: it may
 * continue.
 */
function whyFinishNow(at: TurnPorts, state: LoopState, iteration: number): string | null {
  const { options, ports } = at;
  if (iteration > options.maxIterations) return 'max_iterations_reached';
  if (state.prose >= MOST_PROSE) return 'invalid_schema';
  const barren = at.controller.endsAfterBarren;
  if (barren !== undefined && state.barren >= barren) return 'no_progress';
  const request = turnRequest(at, state, iteration, false);
  if (pastHardLimit(state.spent, request, options)) return 'budget_exceeded';
  const past = leadsPast(state.spent, request, options);
  if (past === null) return null;
  if (options.limitMode === 'hard' && iteration > FREE_ROUNDS) return 'budget_exceeded';
  const remark = `${past}_limit_passed`;
  if (!state.remarks.has(remark))
    ports.log.warn(
      { unit: ports.run.unit, iteration, spent: state.spent },
      'an evaluation passes its soft limit',
    );
  state.remarks.add(remark);
  return null;
}

function pastHardLimit(spent: EvaluationCost, request: ModelRequest, options: TurnOptions): boolean {
  const { hardTokenLimit: tokenLimit } = options;
  return tokenLimit !== undefined && leadsPast(spent, request, { ...options, tokenLimit }) !== null;
}

async function ask({ ports, options }: TurnPorts, request: ModelRequest, { iteration, draw }: Turn) {
  try {
    const until = ports.clock.now() + options.callTimeoutMs;
    return { response: await ports.model.call(iteration, request, until) };
  } catch (thrown) {
    const after = afterModelFailure(thrown, ports, draw.deadlineAt);
    const { unit, settings } = ports.run;
    ports.log.warn({ unit, iteration, model: settings.model, after }, 'a turn of the model failed');
    return after;
  }
}

function endedState(
  state: LoopState,
  finished: unknown,
  reasonCode: string | null,
  cause: string | null = null,
): LoopEnd<unknown> {
  const { trace, calls, model, spent, notes } = state;
  const remarks = [
    ...state.remarks,
    ...(finished !== null && reasonCode !== null ? [`finished_on_${reasonCode}`] : []),
  ];
  return {
    finished,
    reasonCode,
    cause,
    trace,
    calls,
    model,
    spent,
    iterations: trace.length,
    remarks,
    notes,
  };
}
