import type { Caller, Clock } from '@casefile/contracts';

/** Time for which a check is remembered, in milliseconds. */
const REMEMBERED_MS = 300_000;
/** Maximum number of remembered checks. Beyond it, the oldest check is forgotten. */
const MOST = 1_000;

/** A check of a proof by the database that is under way. */
export interface RunningCheck {
  /** Remembers the caller, unless the proof was forgotten during the check: the answer may be older than that. */
  confirm(caller: Caller): void;
  /** Forgets the caller, because the database refused the proof. */
  refuse(): void;
  /** Ends the check. Every check must be ended, also one that failed. */
  end(): void;
}

/**
 * Callers whose key or session the database confirmed in the last five minutes, by the SHA-256 of the proof. They
 * may read conditions while the database is unavailable, and nothing else.
 */
export class CheckedCallers {
  private readonly checked = new Map<string, { caller: Caller; at: number }>();
  private readonly running = new Set<{ digest: string; isCurrent: boolean }>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Begins the check of a proof. */
  begin(digest: string): RunningCheck {
    const run = { digest, isCurrent: true };
    const at = this.clock.now();
    this.running.add(run);
    return {
      confirm: (caller) => {
        if (!run.isCurrent) return;
        this.checked.delete(digest);
        this.checked.set(digest, { caller, at });
        const [oldest] = this.checked.keys();
        if (this.checked.size > MOST && oldest !== undefined) this.checked.delete(oldest);
      },
      refuse: () => this.forget(digest),
      end: () => void this.running.delete(run),
    };
  }

  /** Returns the caller of a proof that was confirmed less than five minutes ago; null: there is none. */
  find(digest: string): Caller | null {
    const found = this.checked.get(digest);
    if (found === undefined) return null;
    const age = this.clock.now() - found.at;
    if (age >= 0 && age < REMEMBERED_MS) return found.caller;
    this.checked.delete(digest);
    return null;
  }

  /** Forgets the caller of a proof, because the proof is no longer valid. */
  forget(digest: string): void {
    this.checked.delete(digest);
    for (const run of this.running) if (run.digest === digest) run.isCurrent = false;
  }

  /** Forgets every caller, because a key or session was changed. The next request of each is checked again. */
  forgetAll(): void {
    this.checked.clear();
    for (const run of this.running) run.isCurrent = false;
  }
}

const callersByStore = new WeakMap<object, CheckedCallers>();

/** Returns the checked callers of a platform. The guard and the sign-in of a process share them. */
export function checkedCallers({
  store,
  clock,
}: {
  store: object;
  clock: Pick<Clock, 'now'>;
}): CheckedCallers {
  const existing = callersByStore.get(store);
  if (existing !== undefined) return existing;
  const created = new CheckedCallers(clock);
  callersByStore.set(store, created);
  return created;
}
