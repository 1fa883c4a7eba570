import type { Clock } from '@casefile/contracts';

/** Limits on the retries of one provider in this process. */
export interface RetryLimits {
  /** Retries earned per first attempt. This bounds the calls during an outage. */
  share: number;
  /** Retries that can be saved up, so that an isolated failure is always retried. */
  reserve: number;
}

interface Account {
  left: number;
  at: number;
}

/** Retries per second that refill the reserve. */
const REFILL_A_SECOND = 0.1;
/**
 * Time constant in seconds with which retries above the reserve decay. They are for failures that occur at
 * the same time as the first attempts that earned them.
 */
const KEPT_SECONDS = 10;

/**
 * Limits retries to a share of the first attempts, so that a failing provider does not get many more calls than a
 * healthy provider. When this share is used up, a failed call is not retried.
 */
export class RetryBudget {
  private readonly accounts = new Map<string, Account>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: RetryLimits,
  ) {}

  /** Records a first attempt. */
  earn(provider: string): void {
    this.accountOf(provider).left += this.limits.share;
  }

  /** Uses up one retry. Returns false if none is left. */
  take(provider: string): boolean {
    const account = this.accountOf(provider);
    if (account.left < 1) return false;
    account.left -= 1;
    return true;
  }

  private get most(): number {
    return Math.max(1, this.limits.reserve);
  }

  private accountOf(provider: string): Account {
    const now = this.clock.now();
    const account = this.accounts.get(provider) ?? { left: this.most, at: now };
    const seconds = Math.max(0, now - account.at) / 1000;
    if (account.left < this.most)
      account.left = Math.min(account.left + seconds * REFILL_A_SECOND, this.most);
    else account.left = this.most + (account.left - this.most) * Math.exp(-seconds / KEPT_SECONDS);
    account.at = now;
    this.accounts.set(provider, account);
    return account;
  }
}
