import { createHash } from 'node:crypto';
import { reasonOf, z, type CasefileError, type RunSettings, type Clock } from '@casefile/contracts';

/** How often a call is tried, and how long is waited between. Times in milliseconds. */
export interface AttemptLimits {
  /** Attempts at one step with one provider, the first included; what is on the record counts, but a crash does not take the last one. */
  attempts: number;
  /** The first wait is drawn from 0 to this; the bound doubles with each attempt. */
  firstWaitMs: number;
  /** The bound of a wait never grows above this. */
  longestWaitMs: number;
  /** The share of a wait that is drawn by chance, 0 to 1; absent: all of it. */
  waitJitter?: number;
}

const ownLimits = z.object({
  attempts: z.number().int().min(1).optional(),
  firstWaitMs: z.number().min(0).optional(),
  waitJitter: z.number().min(0).max(1).optional(),
});

/** With what a kind of case wants otherwise, by options of these names. S4-30. */
export function attemptsFor(limits: AttemptLimits, { options }: Pick<RunSettings, 'options'>): AttemptLimits {
  const own = ownLimits.safeParse(options).data ?? {};
  return { ...limits, ...own };
}

export interface FailedAttempt {
  error: CasefileError;
  /** Attempts made at this step with this provider so far. */
  made: number;
  /** Drawn once for the stage: the waits are the same on a second rendering. */
  seed: string;
  step: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** null: no deadline, but no wait above `longestWaitMs` either. */
  deadlineAt: number | null;
}

export type AfterAttempt =
  | { kind: 'again'; waitMs: number }
  /** `waitMs`: how long whoever can wait should; for those who cannot it is over. */
  | { kind: 'give-up'; waitMs: number };

/** Does this failure say that the provider, rather than this one answer, is out? Another provider may do better. */
export function isOutage({ reasonCode }: CasefileError): boolean {
  return reasonOf(reasonCode).outage?.includes('model') ?? false;
}

/** Is it about the account: an exhausted quota or a bad key? Never tried again, it opens the circuit at once. */
export function isAccountFailure(reasonCode: string): boolean {
  return reasonOf(reasonCode).account === true;
}

/**
 * What to do after a failed attempt: exponential waits with full jitter from the recorded seed; `Retry-After` is a
 * minimum. A wait that would pass the deadline is not begun.
 */
export function afterAttempt(failed: FailedAttempt, limits: AttemptLimits): AfterAttempt {
  const { error, made, now, deadlineAt } = failed;
  const waitMs = waitOf(failed, limits);
  if (reasonOf(error.reasonCode).retry !== true || made >= limits.attempts)
    return { kind: 'give-up', waitMs };
  const fits = deadlineAt === null ? waitMs <= limits.longestWaitMs : now + waitMs < deadlineAt;
  return { kind: fits ? 'again' : 'give-up', waitMs };
}

function waitOf({ error, made, seed, step }: FailedAttempt, limits: AttemptLimits): number {
  const minimum = error.retryAfterMs;
  const doubled = limits.firstWaitMs * 2 ** Math.max(0, made - 1);
  // All who were told the same time would come back at once: a little apart.
  const bound = minimum === undefined ? Math.min(doubled, limits.longestWaitMs) : limits.firstWaitMs;
  const { waitJitter = 1 } = limits;
  const share = 1 - waitJitter + waitJitter * shareOf(`${seed}/${step}/${made}/wait`);
  return Math.ceil((minimum ?? 0) + bound * share);
}

/** A share from 0 to 1 that is the same for the same words. */
export function shareOf(words: string): number {
  return createHash('sha256').update(words).digest().readUInt32BE(0) / 2 ** 32;
}

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
