import { createHmac } from 'node:crypto';
import {
  CONTINUED,
  recordedVerdict,
  type CaseStore,
  type EngagementDetails,
  type Logger,
  type PendingDelivery,
  type Queue,
  type Telemetry,
  type VerdictMessage,
} from '@casefile/contracts';
import type { Outward, Playbook } from '@casefile/pipeline';
import { METRICS } from '@casefile/telemetry';

export interface OutboxPorts {
  store: Pick<CaseStore, 'deliveries' | 'engagements' | 'lead'>;
  queue: Pick<Queue, 'publishVerdicts'>;
  /** A kind determines which parts of its verdicts may leave. */
  playbooks: readonly Pick<Playbook, 'name' | 'outward'>[];
  log: Logger;
  telemetry: Telemetry;
  /** Key with which receivers verify that a verdict on the queue comes from Casefile; null: none is set. */
  key: string | null;
}

/**
 * Delivers verdicts at least once, each with a stable delivery id. `flush` sends recorded verdicts that are
 * not marked as delivered.
 */
export class Outbox {
  private waiting: VerdictMessage[] = [];
  /** The send that will include the waiting verdicts; null: none waits. */
  private next: Promise<void> | null = null;
  private publishing: Promise<unknown> = Promise.resolve();

  constructor(private readonly ports: OutboxPorts) {}

  /** Sends a verdict together with others that wait. Never fails, because `flush` retries. */
  async deliver(message: VerdictMessage): Promise<void> {
    this.waiting.push(message);
    this.ports.telemetry.count(METRICS.verdicts, {
      playbook: message.playbook,
      disposition: message.verdict.disposition,
      method: message.verdict.method,
      degraded: String(message.verdict.degraded),
      degradedBy: message.verdict.degradedBy[0] ?? 'none',
      // Few experiments run at the same time, each with a few arms.
      experiment: message.verdict.experiment?.id ?? 'none',
      arm: message.verdict.experiment?.arm ?? 'none',
    });
    this.next ??= this.sendWaiting();
    await this.next;
  }

  /**
   * Sends verdicts that have waited on the record for longer than `olderThanMs`, unless another process is
   * doing so.
   * @throws if store or queue do not answer.
   */
  async flush(limit: number, olderThanMs: number): Promise<void> {
    const pending = () => this.pending(limit, olderThanMs);
    if ((await pending()).length === 0) return;
    const leadership = await this.ports.store.lead('deliveries');
    if (leadership === null) return;
    try {
      // Read again, because the previous leader may have sent some of them.
      await this.mark(await this.publish((await pending()).map(messageOf)));
    } finally {
      await leadership.release();
    }
  }

  private pending(limit: number, olderThanMs: number): Promise<PendingDelivery[]> {
    const known = this.ports.playbooks.map(({ name }) => name);
    return this.ports.store.deliveries.pending(limit, olderThanMs, known);
  }

  // Sends are sequential. A send does not wait until the record has marked the previous one.
  private async sendWaiting(): Promise<void> {
    await this.publishing;
    const batch = this.waiting;
    this.waiting = [];
    this.next = null;
    const published = this.publish(batch);
    this.publishing = published.catch(() => undefined);
    try {
      await this.mark(await published);
    } catch (error) {
      this.ports.log.warn({ error, verdicts: batch.length }, 'verdicts could not be handed out yet');
    }
  }

  /** @returns the verdicts that were sent. */
  private async publish(messages: VerdictMessage[]): Promise<VerdictMessage[]> {
    const outward = (await Promise.all(messages.map((message) => this.outward(message)))).flat();
    if (outward.length > 0)
      await this.ports.queue.publishVerdicts(outward.map((message) => signed(message, this.ports.key)));
    return outward;
  }

  private async mark(sent: VerdictMessage[]): Promise<void> {
    if (sent.length > 0)
      await this.ports.store.deliveries.markDelivered(sent.map(({ deliveryId }) => deliveryId));
  }

  // Internal parts of a verdict stay on the record. For an unknown kind, this process does not know what may
  // leave, so the verdict waits for a process that does.
  private async outward(message: VerdictMessage): Promise<VerdictMessage[]> {
    const playbook = this.ports.playbooks.find(({ name }) => name === message.playbook);
    if (playbook === undefined) {
      this.ports.log.warn(
        { ...message, verdict: undefined },
        'a verdict of an unknown kind is not handed out',
      );
      return [];
    }
    const { verdict } = message;
    const outward = playbook.outward(verdict);
    return [{ ...message, verdict: outward.verdict(await this.opened(message, outward)) }];
  }

  // The playbook determines what a verdict opens. The record determines whether the session had a message
  // before.
  private async opened(
    { runId, replaces }: VerdictMessage,
    { effects: [effect] }: Outward,
  ): Promise<string | null> {
    if (effect === undefined) return null;
    const session =
      effect.sessionId === null ? null : await this.ports.store.engagements.get(effect.sessionId);
    return session === null || isFirst([runId, replaces], session) ? effect.stage : CONTINUED;
  }
}

// A verdict that replaces another verdict continues the session that the other one opened.
function isFirst(runIds: (string | undefined)[], { history, messages }: EngagementDetails): boolean {
  return messages === history.length && runIds.includes(history.at(-1)?.runId);
}

function messageOf({ verdict, ...at }: PendingDelivery): VerdictMessage {
  return { ...at, verdict: recordedVerdict(verdict) };
}

/**
 * Returns the message with its signature. As in Standard Webhooks, it is an HMAC-SHA256 over the delivery id,
 * a dot and the JSON of the verdict as sent; `v1,` and base64. Without a key, the message is unchanged.
 */
export function signed(message: VerdictMessage, key: string | null): VerdictMessage {
  if (key === null) return message;
  const body = `${message.deliveryId}.${JSON.stringify(message.verdict)}`;
  return { ...message, signature: `v1,${createHmac('sha256', key).update(body).digest('base64')}` };
}
