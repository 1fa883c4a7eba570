import { cachedFor, CasefileError, messageWithoutValues, type Clock } from '@casefile/contracts';

/** Interval of the probes of a store, in milliseconds. */
const PROBE_EVERY_MS = 10_000;
/** Maximum age of the result of a probe, in milliseconds. */
const FRESH_MS = 1_000;
/** Time limit of a probe, in milliseconds. */
const ANSWER_WITHIN_MS = 2_000;

/** A store that cannot be used. */
export interface Outage {
  /** Time at which this process first saw the outage. */
  since: string;
  /** Cause, as a sentence. */
  why: string;
  /** SQLSTATE of the database; null: it gave none. */
  sqlState: string | null;
  /** Reason code of the error; null: it has none. */
  reasonCode: string | null;
}

/** Probes a store, and remembers in this process since when the store cannot be used. */
export class StoreWatch {
  private outage: Outage | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly probe: () => Promise<void>;

  /** @param ask Asks the store, and throws if the store cannot be used. */
  constructor(
    ask: (timeoutMs: number) => Promise<void>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.probe = cachedFor(FRESH_MS, async () => {
      const askedAt = this.clock.now();
      await ask(ANSWER_WITHIN_MS).then(
        () => (this.outage = null),
        (error: unknown) => this.failed(error, askedAt),
      );
    });
  }

  /** Probes the store unless it was probed just now. Returns its outage; null: the store can be used. */
  async check(): Promise<Outage | null> {
    await this.probe();
    return this.outage;
  }

  /** Returns the outage as it was last seen; null: there is none. */
  latest(): Outage | null {
    return this.outage;
  }

  /** Notes that the store failed, and returns the outage. */
  failed(error: unknown, at = this.clock.now()): Outage {
    const since = this.outage?.since ?? new Date(at).toISOString();
    const reasonCode = error instanceof CasefileError ? error.reasonCode : null;
    this.outage = { since, why: messageWithoutValues(error), sqlState: sqlStateOf(error), reasonCode };
    return this.outage;
  }

  /** Probes at an interval, so that the beginning of an outage is known without a client that asks. */
  start(): void {
    this.timer ??= setInterval(() => void this.probe(), PROBE_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function sqlStateOf(error: unknown): string | null {
  const state = error instanceof CasefileError ? error.details?.['sqlState'] : undefined;
  return typeof state === 'string' && state !== '' ? state : null;
}
