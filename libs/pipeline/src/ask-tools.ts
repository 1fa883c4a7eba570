import {
  canonicalJson,
  CasefileError,
  wait,
  type ToolCall,
  type ToolRequest,
  type Wait,
} from '@casefile/contracts';
import type { StagePorts, StepTools } from './stage-ports.js';

/** Results of a turn's requests, in their order, or the wait for requests that are separate jobs. */
export type ToolTurn = { calls: ToolCall[] } | { wait: Wait };

/**
 * Distance between the steps of a turn and the steps of the same turn with other requests. It exceeds twice
 * the possible turns of a loop.
 */
const STEPS_APART = 1_000;
/**
 * Maximum number of different sets of requests of one turn. Each additional set comes from a release during
 * the run. More than this is a defect of this system.
 */
const MOST_ASKINGS = 10;

/**
 * Asks tools, all requests of a turn concurrently. Local tools run inside the stage. Remote ones are separate
 * jobs, for which the unit waits suspended. When all results are in, the same question is answered from the
 * record. If the record has other requests at this turn (a release changed the offered tools, and the model
 * was asked again), those results are kept unused, and these requests get a separate step.
 * @param turn from 1; a turn's requests must be the same on every rendering.
 * @param timeoutMs after which missing results count as failed.
 */
export async function askTools(
  turn: number,
  requests: readonly ToolRequest[],
  { tools }: Pick<StagePorts, 'tools'>,
  timeoutMs: number,
): Promise<ToolTurn> {
  const isLocal = ({ tool }: ToolRequest) => tools.locality(tool) === 'local';
  const local = requests.filter(isLocal);
  const remote = requests.filter((request) => !isLocal(request));
  const inside = local.length === 0 ? [] : await tools.inline(stepFor(2 * turn - 1, local, tools), local);
  const step = stepFor(2 * turn, remote, tools);
  const recorded = tools.recorded(step);
  const open = recorded.length < remote.length || !recorded.every(isSettled);
  if (open) return { wait: wait(step, remote, timeoutMs) };
  const [insides, jobs] = [inside.values(), recorded.values()];
  return { calls: requests.map((request) => (isLocal(request) ? insides : jobs).next().value as ToolCall) };
}

/**
 * Returns the first step of this kind and turn whose record has no other requests.
 * @throws CasefileError `calls_diverged`: the requests differ on each try, so the caller would never end.
 */
function stepFor(first: number, requests: readonly ToolRequest[], tools: StepTools): number {
  const requestsInWords = requests.map(inWords);
  for (let step = first; step < first + MOST_ASKINGS * STEPS_APART; step += STEPS_APART)
    if (tools.recorded(step).every((call) => requestsInWords[call.seq] === inWords(call))) return step;
  throw new CasefileError('calls_diverged', `other tools are asked at each rendering of step ${first}`);
}

// Compares texts as the record stores them: without NUL and halves of surrogate pairs.
const inWords = ({ tool, args }: ToolRequest): string =>
  `${tool} ${canonicalJson(args, (text) => text.replace(UNSTORABLE, '\ufffd'))}`;
/** Characters that the record cannot store, and their replacement. */
const UNSTORABLE = /[\0\u2400\ud800-\udfff]/gu;

function isSettled({ state }: ToolCall): boolean {
  return state === 'succeeded' || state === 'failed';
}
