import type { Changes, ChangeSource, ChangeSubject, Logger } from '@casefile/contracts';

/** Interval between tries to listen, in milliseconds. */
const LISTEN_AGAIN_MS = 2_000;

/**
 * The notifications of the store in this process, over one connection. While there is no connection, each user reads the
 * store at its own short interval.
 */
export class ChangeWatch implements ChangeSource {
  private readonly users = new Set<{ subject: ChangeSubject; changed: () => void }>();
  private unlisten: (() => Promise<void>) | null = null;
  private connecting: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly changes: Changes,
    private readonly log: Logger,
  ) {}

  isListening(): boolean {
    return this.unlisten !== null;
  }

  on(subject: ChangeSubject, changed: () => void): () => void {
    const user = { subject, changed };
    this.users.add(user);
    return () => void this.users.delete(user);
  }

  /** Tries once to listen, and then again until it succeeds. Never fails, because users also read without it. */
  start(): Promise<void> {
    this.connecting = this.changes
      .listen(
        (subject) => this.notify(subject),
        (error) => {
          this.unlisten = null;
          this.log.debug({ error }, 'the notifications of the store ended');
          this.startLater();
          this.notify(null);
        },
      )
      .then(
        (unlisten) => {
          this.unlisten = unlisten;
          this.notify(null);
        },
        (error: unknown) => {
          this.log.debug({ error }, 'the store cannot be listened to');
          this.startLater();
        },
      );
    return this.connecting;
  }

  /** Closes the connection, and calls no user any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.connecting;
    await this.unlisten?.().catch(() => undefined);
    this.unlisten = null;
  }

  /** @param about null: notifications of any subject may be missed. */
  private notify(about: ChangeSubject | null): void {
    if (this.stopped) return;
    for (const { subject, changed } of this.users) if (about === null || about === subject) changed();
  }

  private startLater(): void {
    if (!this.stopped) this.timer = setTimeout(() => void this.start(), LISTEN_AGAIN_MS).unref();
  }
}
