import type { ModelToolCall, ToolCall, ToolRequest, Wait } from '@casefile/contracts';
import { askTools } from '../ask-tools.js';
import { markHidden } from '../entities/hidden-characters.js';
import { fenced, markOf } from '../fence.js';
import { plainText } from '../plain-text.js';
import { readAction, type Action } from './read-action.js';
import type { LoopState, Turn, TurnPorts } from './turns.js';

/** What a model is told of one of its calls. */
export interface Told {
  /** As it stands in the conversation. */
  text: string;
  /** The same without marks: for the trace. */
  observation: string;
  cached: boolean;
  reasonCode: string | null;
  /** The call on the record that it is told from; null: nothing was called. */
  source: ToolCall | null;
}

/** What came of the calls of a turn. */
export interface Taken {
  /** Of the turn's calls those that the model is told of, in their order, and that the trace shows. */
  told: ModelToolCall[];
  /** What it is told of each of them; empty when the turn finished. */
  tells: Told[];
  /** Calls that were made in this turn. */
  calls: ToolCall[];
  /** What the turn finished with; absent: it did not. */
  finished?: unknown;
}

/**
 * Does what a turn asks for: finishes when it may, tells what is wrong with a call, tells again what was told before,
 * and asks tools for the rest, all at once. S4-04, S4-05.
 */
export async function takeActions(
  at: TurnPorts,
  state: LoopState,
  turn: Turn,
  toolCalls: readonly ModelToolCall[],
): Promise<Taken | { wait: Wait }> {
  const { controller, ports, options } = at;
  const tools = turn.forced === null ? controller.tools : [];
  const rules = { tools, finish: controller.finish, describe: ports.tools.describe.bind(ports.tools) };
  const actions = toolCalls.map((call) => readAction(call, rules));
  const finish = actions.find((action) => action.kind === 'finish');
  if (finish?.kind === 'finish')
    return { told: shown(toolCalls, finish.call), tells: [], calls: [], finished: finish.answer };
  const wanted = newKeys(actions, state, options.maxCallsPerTurn);
  const asked = await askTools(turn.iteration, requestsOf(wanted, at), ports, options.toolWaitMs);
  if ('wait' in asked) return asked;
  const came = new Map([...wanted.keys()].map((key, i) => [key, asked.calls[i]!]));
  const tells = actions.map((action) => tell(action, came, at, state, turn));
  return { ...withinBounds(toolCalls, tells), calls: asked.calls };
}

/** Calls of one turn that came to nothing of their own (refused, repeated, too many) and are told of each by itself. */
const MOST_UNTAKEN = 10;

/** E-04: a turn may ask for thousands of calls, and what it is told of them goes into every request after it. */
function withinBounds(
  calls: readonly ModelToolCall[],
  tells: readonly Told[],
): Pick<Taken, 'told' | 'tells'> {
  const kept: number[] = [];
  let untaken = 0;
  for (const [i, { source, cached }] of tells.entries()) {
    if (source === null || cached) untaken += 1;
    if ((source !== null && !cached) || untaken <= MOST_UNTAKEN) kept.push(i);
  }
  const left = tells.length - kept.length;
  const note = `\n${left} more calls of this turn were not taken either, and are not listed.`;
  return {
    told: kept.map((i) => calls[i]!),
    tells: kept.map((i, at) => {
      const told = tells[i]!;
      return left === 0 || at < kept.length - 1
        ? told
        : { ...told, text: told.text + note, observation: told.observation + note };
    }),
  };
}

/** Of a turn that finished: its first calls, the one that finished among them. */
function shown(calls: readonly ModelToolCall[], finish: ModelToolCall): ModelToolCall[] {
  return calls.filter((call, i) => i < MOST_UNTAKEN || call === finish);
}

type Call = Extract<Action, { kind: 'call' }>;

/** What was not asked before, each once, as many as a turn may. */
function newKeys(actions: readonly Action[], { known }: LoopState, most: number): Map<string, Call> {
  const wanted = new Map<string, Call>();
  for (const action of actions) {
    if (action.kind !== 'call' || known.has(action.key) || wanted.size >= most) continue;
    if (!wanted.has(action.key)) wanted.set(action.key, action);
  }
  return wanted;
}

function requestsOf(
  wanted: ReadonlyMap<string, Call>,
  { controller, input, ports }: TurnPorts,
): ToolRequest[] {
  return [...wanted.values()].map(({ call, args }) => ({
    tool: call.name,
    args: { ...args, ...controller.bind(call.name, input, ports.run.unit, args) },
  }));
}

function tell(
  action: Action,
  came: ReadonlyMap<string, ToolCall>,
  at: TurnPorts,
  state: LoopState,
  turn: Turn,
): Told {
  if (action.kind === 'invalid') return refused(action.reasonCode, `error: ${action.problem}`);
  if (action.kind === 'finish') throw new Error('a turn that finishes is told nothing');
  const before = state.known.get(action.key);
  if (before !== undefined) return { ...before, cached: true };
  const call = came.get(action.key);
  if (call === undefined)
    return refused(
      'too_many_calls',
      `error: not called: a turn has ${at.options.maxCallsPerTurn} calls at most`,
    );
  const observation = markHidden(plainText(at.controller.observe(call, state.calls)));
  const reasonCode = call.state === 'succeeded' ? null : (call.reasonCode ?? 'tool_timeout');
  const told = { observation, cached: false, reasonCode, source: call };
  const text = fenced(observation, markOf(turn.draw, turn.iteration));
  // A call that failed may come off another time; what was found stays found.
  if (reasonCode === null) state.known.set(action.key, { ...told, text });
  return { ...told, text };
}

const refused = (reasonCode: string, text: string): Told => ({
  ...{ text, observation: text, cached: false, reasonCode, source: null },
});
