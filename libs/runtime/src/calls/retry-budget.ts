import type { Clock } from '@casefile/contracts';

/** How many of a provider's calls may be further attempts, in this process. */
export interface RetryLimits {
  /** Further attempts for each first one: in a storm this is what bounds the calls. */
  share: number;
  /** Further attempts that may be saved up, so that a failure in quiet times is tried again in any case. */
  reserve: number;
}

interface Account {
  left: number;
  at: number;
}

/** What is saved up comes back by itself at so many attempts a second. */
const REFILL_A_SECOND = 0.1;
/** What was earned beyond the reserve is for failures of the same time: it fades by this time constant. */
const KEPT_SECONDS = 10;

/**
 * Keeps a failing provider from getting more calls than a well one would: further attempts are earned by first ones.
 * One that has none left is given up as if its attempts were used up.
 */
export class RetryBudget {
  private readonly accounts = new Map<string, Account>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: RetryLimits,
  ) {}

  /** A first attempt is made. */
  earn(provider: string): void {
    this.accountOf(provider).left += this.limits.share;
  }

  /** May a further attempt be made? */
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
