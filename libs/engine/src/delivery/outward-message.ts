import { CONTINUED, type CaseStore, type EngagementDetails, type VerdictMessage } from '@casefile/contracts';
import type { Outward, Playbook } from '@casefile/pipeline';

export interface OutwardPorts {
  store: Pick<CaseStore, 'engagements'>;
  /** A kind determines which parts of its verdicts may leave. */
  playbooks: readonly Pick<Playbook, 'name' | 'outward'>[];
}

/**
 * Returns a verdict without its internal parts, which stay on the record. null: this process does not know the
 * kind, so it does not know what may leave.
 */
export async function outwardMessage(
  { store, playbooks }: OutwardPorts,
  message: VerdictMessage,
): Promise<VerdictMessage | null> {
  const playbook = playbooks.find(({ name }) => name === message.playbook);
  if (playbook === undefined) return null;
  const outward = playbook.outward(message.verdict);
  return { ...message, verdict: outward.verdict(await openedStage(store, message, outward)) };
}

// The playbook determines what a verdict opens. The record shows whether the session already had a message.
async function openedStage(
  { engagements }: OutwardPorts['store'],
  { runId, replaces }: VerdictMessage,
  { effects: [effect] }: Outward,
): Promise<string | null> {
  if (effect === undefined) return null;
  const session = effect.sessionId === null ? null : await engagements.get(effect.sessionId);
  return session === null || isFirst([runId, replaces], session) ? effect.stage : CONTINUED;
}

// A verdict that replaces another verdict continues the session that the other one opened.
function isFirst(runIds: (string | undefined)[], { history, messages }: EngagementDetails): boolean {
  return messages === history.length && runIds.includes(history.at(-1)?.runId);
}
