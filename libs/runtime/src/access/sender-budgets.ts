import { CasefileError, type AccessKeys, type Clock, type Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { AlertSender } from './alert-sender.js';

/** Time for which a read cost is not read again. */
const CACHED_MS = 5_000;
const DAY_MS = 86_400_000;

interface ReadCost {
  at: number;
  /** Start of the UTC day. */
  since: number;
  usd: Promise<number>;
}

/** Daily budgets of the keys that send alerts to this process. */
export class SenderBudgets {
  private readonly costs = new Map<string, ReadCost>();

  constructor(
    private readonly ports: { keys: Pick<AccessKeys, 'spentSince'>; clock: Clock; telemetry: Telemetry },
  ) {}

  /**
   * The cost of runs in progress is not known yet, so that a key can exceed its budget by it.
   * @throws CasefileError `budget_exhausted` if today's runs of the sender have used up its budget.
   */
  async check({ name, limits }: AlertSender): Promise<void> {
    const most = limits?.dailyUsd;
    if (most === undefined) return;
    const now = this.ports.clock.now();
    const since = Math.floor(now / DAY_MS) * DAY_MS;
    const spent = await this.spent(name, since, now);
    if (spent < most) return;
    this.ports.telemetry.count(METRICS.alertsRefused, { reason: 'budget' });
    throw new CasefileError(
      'budget_exhausted',
      `The key ${name} may spend ${dollars(most)} per UTC day, and its alerts of today have cost ` +
        `${dollars(spent)}. Send the alert again tomorrow, or with a key that has a higher budget.`,
      { retryAfterMs: since + DAY_MS - now },
    );
  }

  private async spent(name: string, since: number, now: number): Promise<number> {
    const cachedCost = this.costs.get(name);
    if (cachedCost !== undefined && cachedCost.since === since && now - cachedCost.at < CACHED_MS)
      return cachedCost.usd;
    const read = { at: now, since, usd: this.ports.keys.spentSince(name, new Date(since).toISOString()) };
    this.costs.set(name, read);
    // A failure is not cached.
    read.usd.catch(() => this.costs.get(name) === read && this.costs.delete(name));
    return read.usd;
  }
}

/** Returns an amount in US dollars, exact to a millionth. */
function dollars(amount: number): string {
  return `$${Number(amount.toFixed(6))}`;
}
