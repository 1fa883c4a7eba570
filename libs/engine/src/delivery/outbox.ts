import { createHmac } from 'node:crypto';
import {
  recordedVerdict,
  type CaseStore,
  type Clock,
  type Logger,
  type PendingDelivery,
  type Queue,
  type Reviews,
  type Telemetry,
  type VerdictMessage,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { METRICS } from '@casefile/telemetry';
import { outwardMessage } from './outward-message.js';

export interface OutboxPorts {
  store: Pick<CaseStore, 'engagements' | 'lead'> & {
    deliveries: Omit<CaseStore['deliveries'], 'isWithheld'>;
    reviews: Pick<Reviews, 'takeCorrections' | 'markCorrectionsSent'>;
  };
  clock: Pick<Clock, 'now'>;
  queue: Pick<Queue, 'publishVerdicts'>;
  /** A kind determines which parts of its verdicts may leave. */
  playbooks: readonly Pick<Playbook, 'name' | 'outward'>[];
  log: Logger;
  telemetry: Telemetry;
  /** Writes deliveries to destinations. Default: this process has none. */
  destinations?: VerdictRouter;
  /** Key with which receivers verify that a verdict on the queue comes from Casefile; null: none is set. */
  key: string | null;
}

/** Receiver of verdicts in addition to the queue. */
export interface VerdictRouter {
  /**
   * Writes the deliveries that each verdict leads to. A repeated call changes nothing.
   * @param options.byPerson Whether a person decided on these verdicts, so that no silence withholds them. Default: false.
   * @returns the verdicts that a silence withheld: ids of silences by ids of runs.
   * @throws if the store does not answer.
   */
  route(
    messages: readonly VerdictMessage[],
    options?: { byPerson: boolean },
  ): Promise<ReadonlyMap<string, string>>;
}

/**
 * Delivers verdicts at least once, each with a stable delivery id. `flush` sends recorded verdicts that are
 * not marked as delivered.
 */
export class Outbox {
  private waiting: VerdictMessage[] = [];
  /** The next send, which will include the waiting verdicts; null: no verdict waits. */
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
      // The metric may have a label per experiment and arm, because few experiments run at the same time.
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
      // Reads them again, because the previous leader may have sent some of them.
      await this.mark(await this.publish((await pending()).map(verdictMessage)));
    } finally {
      await leadership.release();
    }
  }

  /**
   * Sends verdicts that people corrected, when the time for undoing has passed. After a crash they are sent
   * again with the same ids.
   * @throws if store or queue do not answer.
   */
  async flushCorrections(limit: number): Promise<void> {
    const { store, clock, playbooks } = this.ports;
    const playbookNames = playbooks.map(({ name }) => name);
    const corrections = await store.reviews.takeCorrections(clock.now(), limit, playbookNames);
    if (corrections.length === 0) return;
    await this.publish(corrections.map(verdictMessage), { byPerson: true });
    const ids = corrections.map(({ deliveryId }) => deliveryId);
    await store.reviews.markCorrectionsSent(ids, clock.now());
  }

  private pending(limit: number, olderThanMs: number): Promise<PendingDelivery[]> {
    const playbookNames = this.ports.playbooks.map(({ name }) => name);
    return this.ports.store.deliveries.pending(limit, olderThanMs, playbookNames);
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
      this.ports.log.warn({ error, verdicts: batch.length }, 'verdicts could not be delivered yet');
    }
  }

  /** @returns the verdicts that were sent. */
  private async publish(
    messages: VerdictMessage[],
    options = { byPerson: false },
  ): Promise<VerdictMessage[]> {
    const outward = (await Promise.all(messages.map((message) => this.outward(message)))).flat();
    if (outward.length === 0) return outward;
    // Destinations come first, so that an unavailable queue does not delay a page. Routing a verdict again
    // changes nothing.
    const silenced = await this.ports.destinations?.route(outward, options);
    const published = outward.map((message) => {
      const silencedBy = silenced?.get(message.runId);
      return silencedBy === undefined ? message : { ...message, silencedBy };
    });
    await this.ports.queue.publishVerdicts(published.map((message) => signMessage(message, this.ports.key)));
    return outward;
  }

  private async mark(sent: VerdictMessage[]): Promise<void> {
    if (sent.length > 0)
      await this.ports.store.deliveries.markDelivered(sent.map(({ deliveryId }) => deliveryId));
  }

  private async outward(message: VerdictMessage): Promise<VerdictMessage[]> {
    const outward = await outwardMessage(this.ports, message);
    if (outward !== null) return [outward];
    this.ports.log.warn({ ...message, verdict: undefined }, 'a verdict of an unknown kind is not delivered');
    return [];
  }
}

function verdictMessage({ verdict, ...at }: PendingDelivery): VerdictMessage {
  return { ...at, verdict: recordedVerdict(verdict) };
}

/**
 * Returns the message with its signature. As in Standard Webhooks, it is an HMAC-SHA256 over the delivery id,
 * a dot and the JSON of the verdict as sent; `v1,` and base64. Without a key, the message is unchanged.
 */
export function signMessage(message: VerdictMessage, key: string | null): VerdictMessage {
  if (key === null) return message;
  const body = `${message.deliveryId}.${JSON.stringify(message.verdict)}`;
  return { ...message, signature: `v1,${createHmac('sha256', key).update(body).digest('base64')}` };
}
