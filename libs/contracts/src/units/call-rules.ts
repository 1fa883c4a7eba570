import type { ToolSettlement } from '../ports/tool-calls.js';
import type { ToolCallState } from '../record.js';

/** Number of crashes after which a tool call fails, the same as for a stage. */
const MAX_TOOL_CRASHES = 3;

export interface CallState {
  state: ToolCallState;
  stage: string;
  round: number;
  attempts: number;
  crashes: number;
  leaseLive: boolean;
}

export type CallJudgement =
  | { kind: 'take'; crashes: number }
  | { kind: 'refuse'; reason: 'leased' | 'settled' }
  /** The call is settled as failed instead of being run. */
  | { kind: 'give-up'; settlement: ToolSettlement };

/**
 * Decides whether a tool call may run. An expired lease counts as a crash. A call that no stage waits for is
 * abandoned.
 */
export function judgeCall(
  call: CallState,
  unit: { status: string; stage: string; round: number },
): CallJudgement {
  if (call.state === 'succeeded' || call.state === 'failed') return { kind: 'refuse', reason: 'settled' };
  if (call.state === 'running' && call.leaseLive) return { kind: 'refuse', reason: 'leased' };
  const crashes = call.crashes + (call.state === 'running' ? 1 : 0);
  if (crashes >= MAX_TOOL_CRASHES) {
    return giveUp(call, 'crashed_repeatedly', `Its worker died ${crashes} times.`);
  }
  const isOver = unit.status === 'stopped' || unit.status === 'decided' || unit.status === 'finished';
  if (isOver || unit.stage !== call.stage || unit.round !== call.round) {
    return giveUp(call, 'abandoned', 'The stage that asked for it went on without it.');
  }
  return { kind: 'take', crashes };
}

/** Failure of a call that was not settled when the waiting time was over. */
export const TOO_LATE = { reasonCode: 'tool_timeout', message: 'no answer before the wait for it was over' };

function giveUp(call: CallState, reasonCode: string, message: string): CallJudgement {
  const empty = { result: null, source: null, durationMs: null };
  return {
    kind: 'give-up',
    settlement: { state: 'failed', ...empty, reasonCode, message, attempts: call.attempts },
  };
}
