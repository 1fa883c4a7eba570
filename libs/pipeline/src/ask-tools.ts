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
export type Asked = { calls: ToolCall[] } | { wait: Wait };

/** Between the steps of a turn and those of the same turn asked otherwise; more than twice the turns a loop can have. */
const STEPS_APART = 1_000;
/** Askings of one turn that differ: each is a release in the middle of a run; more is a fault of this system. */
const MOST_ASKINGS = 10;

/**
 * Asks tools, those of one turn side by side: local ones run inside the stage, remote ones are jobs of their own
 * that the unit waits for suspended. Once all are in, the same question is answered from the record. Where the record
 * has other requests at this turn (its model was asked again, for what it is offered changed with a release), those are
 * no answer to these: they stay, and these are asked at a step of their own.
 * @param turn from 1; a turn's requests must be the same on every rendering.
 * @param timeoutMs after which what is still missing counts as failed.
 */
export async function askTools(
  turn: number,
  requests: readonly ToolRequest[],
  { tools }: Pick<StagePorts, 'tools'>,
  timeoutMs: number,
): Promise<Asked> {
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
 * The first step of this kind and turn that has nothing on the record but these requests.
 * @throws CasefileError `calls_diverged`: the requests differ on each try, so the caller would never end.
 */
function stepFor(first: number, requests: readonly ToolRequest[], tools: StepTools): number {
  const asked = requests.map(inWords);
  for (let step = first; step < first + MOST_ASKINGS * STEPS_APART; step += STEPS_APART)
    if (tools.recorded(step).every((call) => asked[call.seq] === inWords(call))) return step;
  throw new CasefileError('calls_diverged', `other tools are asked at each rendering of step ${first}`);
}

// In the words of the record, which has no NUL and no half of a surrogate pair.
const inWords = ({ tool, args }: ToolRequest): string =>
  `${tool} ${canonicalJson(args, (text) => text.replace(UNSTORABLE, '\ufffd'))}`;
/** With what stands on the record in their place. */
const UNSTORABLE = /[\0\u2400\ud800-\udfff]/gu;

function isSettled({ state }: ToolCall): boolean {
  return state === 'succeeded' || state === 'failed';
}
