import { wait, type ToolCall, type ToolRequest, type Wait } from '@casefile/contracts';
import type { StagePorts } from './stage-ports.js';

/** What came of a turn's requests, in their order; or the wait for those that are jobs of their own. */
export type Asked = { calls: ToolCall[] } | { wait: Wait };

/**
 * Asks tools, those of one turn side by side: local ones run inside the stage, remote ones are jobs of their own
 * that the unit waits for suspended. Once all are in, the same question is answered from the record.
 * @param turn from 1; a turn's requests must be the same on every rendering.
 * @param timeoutMs after which what is still missing counts as failed.
 */
export async function askTools(
  turn: number,
  requests: readonly ToolRequest[],
  { tools }: Pick<StagePorts, 'tools'>,
  timeoutMs: number,
): Promise<Asked> {
  const step = { local: 2 * turn - 1, remote: 2 * turn };
  const isLocal = ({ tool }: ToolRequest) => tools.locality(tool) === 'local';
  const local = requests.filter(isLocal);
  const remote = requests.filter((request) => !isLocal(request));
  const inside = local.length === 0 ? [] : await tools.inline(step.local, local);
  const recorded = tools.recorded(step.remote);
  const open = recorded.length < remote.length || !recorded.every(isSettled);
  if (open) return { wait: wait(step.remote, remote, timeoutMs) };
  const [insides, jobs] = [inside.values(), recorded.values()];
  return { calls: requests.map((request) => (isLocal(request) ? insides : jobs).next().value as ToolCall) };
}

function isSettled({ state }: ToolCall): boolean {
  return state === 'succeeded' || state === 'failed';
}
