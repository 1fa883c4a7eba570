import { elapsedMs } from '@casefile/contracts';
import type { Clock, Logger, Rollout, RolloutState } from '@casefile/contracts';

/** Interval between reads, in milliseconds. A notification brings the next read forward. */
const POLL_MS = 4_000;
/** Interval between reads while no notification can arrive, and after a failed read. Milliseconds. */
const POLL_ALONE_MS = 2_000;
/** Age from which a copy counts as stale, in milliseconds: some reads have failed. */
export const STALE_AFTER_MS = 10_000;

/** Rolled-out changes as this process knows them. */
export interface RolloutView extends RolloutState {
  /** Time of the read, in milliseconds since 1970. null: nothing was read, so nothing is rolled out. */
  readAt: number | null;
  /** Whether the copy is older than 10 s, because the store does not answer. */
  stale: boolean;
}

/** Source of rolled-out changes for new runs. Never waits for the store. */
export interface RolloutSource {
  current(): RolloutView;
}

const EMPTY: RolloutState = { prompts: [], flags: [], experiments: [], recalibrations: [] };

/** A source without changes, for processes and commands without a record of rollouts. */
export const NO_ROLLOUT: RolloutSource = { current: () => ({ ...EMPTY, readAt: null, stale: false }) };

export interface RolloutCopyPorts {
  rollout: Rollout;
  clock: Clock;
  log: Logger;
}

/**
 * This process's copy of rolled-out changes: live prompt versions, flags and running experiments. A change is
 * read as soon as the store notifies of it, and at the latest with the next poll.
 */
export class RolloutCopy implements RolloutSource {
  private state: RolloutState = EMPTY;
  private readAt: number | null = null;
  private reading: Promise<void> | null = null;
  private isChanged = false;
  /** Whether the last read succeeded. */
  private isRead = true;
  private timer: NodeJS.Timeout | null = null;
  private unlisten: (() => Promise<void>) | null = null;
  private connecting: Promise<void> | null = null;
  private stopped = false;

  constructor(private readonly ports: RolloutCopyPorts) {}

  current(): RolloutView {
    const { state, readAt } = this;
    const stale = readAt !== null && elapsedMs(this.ports.clock.now(), readAt) > STALE_AFTER_MS;
    return { ...state, readAt, stale };
  }

  /** Reads once, then listens and polls. @throws if the store does not answer the first read. */
  async start(): Promise<void> {
    await this.listen();
    await this.refresh();
    this.next();
  }

  /** Ends polling and closes the listening connection. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.connecting;
    await this.reading?.catch(() => undefined);
    await this.unlisten?.().catch(() => undefined);
    this.unlisten = null;
  }

  /** Reads the store. A change during a read is read again. @throws if the store does not answer. */
  refresh(): Promise<void> {
    this.isChanged = true;
    return (this.reading ??= this.readChanges());
  }

  private async readChanges(): Promise<void> {
    try {
      while (this.isChanged) {
        this.isChanged = false;
        // Uses the time before the read, because a change may be committed while the answer is on its way.
        const at = this.ports.clock.now();
        this.state = await this.ports.rollout.read();
        this.readAt = at;
      }
    } finally {
      // In the step that ends the loop: a call of `refresh` after it would otherwise get a read that has ended.
      this.reading = null;
    }
  }

  private next(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.stopped) return;
    const wait = this.unlisten !== null && this.isRead ? POLL_MS : POLL_ALONE_MS;
    this.timer = setTimeout(() => void this.poll().finally(() => this.next()), wait).unref();
  }

  private async poll(): Promise<void> {
    if (this.unlisten === null) await this.listen();
    await this.refreshLogged();
  }

  private refreshLogged(): Promise<void> {
    const { log } = this.ports;
    return this.refresh().then(
      () => void (this.isRead = true),
      (error: unknown) => {
        this.isRead = false;
        log.debug({ error }, 'the rollout was not read');
      },
    );
  }

  // Polls bring every change even without notifications, so a failure to listen is not an error.
  private async listen(): Promise<void> {
    const { rollout, log } = this.ports;
    const changed = () => void (this.stopped || this.refreshLogged());
    const lost = (error: Error) => {
      this.unlisten = null;
      log.debug({ error }, 'the notifications of the rollout ended');
      this.next();
    };
    this.connecting = rollout.listen(changed, lost).then(
      (unlisten) => void (this.unlisten = unlisten),
      (error: unknown) => log.debug({ error }, 'the rollout cannot be listened to'),
    );
    await this.connecting;
  }
}
