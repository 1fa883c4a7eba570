import { createHmac } from 'node:crypto';
import {
  outwardVerdict,
  recordedVerdict,
  type CaseStore,
  type Logger,
  type PendingDelivery,
  type Queue,
  type Telemetry,
  type VerdictMessage,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';

export interface OutboxPorts {
  store: Pick<CaseStore, 'pendingDeliveries' | 'markDelivered'>;
  queue: Pick<Queue, 'publishVerdicts'>;
  log: Logger;
  telemetry: Telemetry;
  /** Key by which a receiver tells our verdicts from those that somebody else put on the queue; null: none is set. */
  key: string | null;
}

/**
 * Hands verdicts out: at least once, each with its stable delivery id. What is on the record and not
 * marked as handed out is handed out again by `flush`.
 */
export class Outbox {
  private waiting: VerdictMessage[] = [];
  private sending: Promise<void> | null = null;

  constructor(private readonly ports: OutboxPorts) {}

  /** Sends with whatever else waits; never fails, for `flush` sends again what did not get out. */
  async deliver(message: VerdictMessage): Promise<void> {
    this.waiting.push(message);
    this.ports.telemetry.count(METRICS.verdicts, {
      playbook: message.playbook,
      disposition: message.verdict.disposition,
      method: message.verdict.method,
      degraded: String(message.verdict.degraded),
      degradedBy: message.verdict.degradedBy[0] ?? 'none',
    });
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    await this.sending;
  }

  /** Sends what has waited on the record for longer than `olderThanMs`. @throws when store or queue do not answer. */
  async flush(limit: number, olderThanMs: number): Promise<void> {
    const pending = await this.ports.store.pendingDeliveries(limit, olderThanMs);
    if (pending.length > 0) await this.send(pending.map(messageOf));
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.send(batch);
      } catch (error) {
        this.ports.log.warn({ error, verdicts: batch.length }, 'verdicts could not be handed out yet');
      }
    }
  }

  private async send(messages: VerdictMessage[]): Promise<void> {
    await this.ports.queue.publishVerdicts(
      messages.map((message) => signed(outward(message), this.ports.key)),
    );
    await this.ports.store.markDelivered(messages.map((message) => message.deliveryId));
  }
}

// S4-15: the record keeps what does not leave.
const outward = (message: VerdictMessage): VerdictMessage => ({
  ...message,
  verdict: outwardVerdict(message.verdict),
});

function messageOf({ verdict, ...at }: PendingDelivery): VerdictMessage {
  return { ...at, verdict: recordedVerdict(verdict) };
}

/**
 * The message with its signature: HMAC-SHA256, as Standard Webhooks signs, over the delivery id, a dot and the JSON of
 * the verdict as it is sent; `v1,` and base64. Without a key it stays as it is.
 */
export function signed(message: VerdictMessage, key: string | null): VerdictMessage {
  if (key === null) return message;
  const body = `${message.deliveryId}.${JSON.stringify(message.verdict)}`;
  return { ...message, signature: `v1,${createHmac('sha256', key).update(body).digest('base64')}` };
}
