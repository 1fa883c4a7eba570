import {
  elapsedMs,
  type ChangeSource,
  type Clock,
  type Logger,
  type SharedSettings,
  type SharedSettingsReader,
} from '@casefile/contracts';
import { NO_ROLLOUT, STALE_AFTER_MS, type RolloutSource, type RolloutView } from '../rollout/rollout-copy.js';

/** Mean interval between reads while notifications arrive, in milliseconds. It bounds the effect of a lost one. */
const POLL_MS = 60_000;
/** Part of the interval by which processes that start together differ. */
const JITTER = 0.2;
/** Interval between reads while no notification can arrive, and after a failed read. Milliseconds. */
const POLL_ALONE_MS = 2_000;

const EMPTY: SharedSettings = {
  rollout: { prompts: [], flags: [], experiments: [], recalibrations: [] },
  dataSources: [],
  destinations: [],
  installation: null,
};

export interface SettingsCopyPorts {
  settings: SharedSettingsReader;
  changes: ChangeSource;
  clock: Clock;
  log: Logger;
}

/**
 * This process's copy of the settings that all processes share. A change is read as soon as the store notifies of it,
 * and at the latest with the next poll.
 */
export class SettingsCopy implements RolloutSource {
  private settings = EMPTY;
  /** Time at which the copy was last known to be the newest state; null: nothing was read. */
  private readAt: number | null = null;
  /** Whether the copy is the newest state, as far as notifications tell. */
  private isNewest = false;
  private reading: Promise<void> | null = null;
  private isChanged = false;
  private timer: NodeJS.Timeout | null = null;
  private unlisten: () => void = () => undefined;
  private stopped = false;

  constructor(private readonly ports: SettingsCopyPorts) {}

  current(): RolloutView {
    const now = this.ports.clock.now();
    const readAt = this.isNewest ? now : this.readAt;
    const stale = readAt !== null && elapsedMs(now, readAt) > STALE_AFTER_MS;
    return { ...this.settings.rollout, readAt, stale };
  }

  /** Returns the settings. A published installation stays if the newest one cannot be read. */
  shared(): SharedSettings {
    return this.settings;
  }

  /** Reads once, and then after each change and at an interval. @throws if the store does not answer the first read. */
  async start(): Promise<void> {
    this.unlisten = this.ports.changes.on('settings', () => void this.readAgain());
    await this.refresh();
    this.next();
  }

  /** Ends the reads. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unlisten();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.reading?.catch(() => undefined);
  }

  /** Reads the store. A change during a read is read again. @throws if the store does not answer. */
  refresh(): Promise<void> {
    this.isChanged = true;
    // Until now the copy was the newest state.
    if (this.isNewest) this.readAt = this.ports.clock.now();
    this.isNewest = false;
    return (this.reading ??= this.readChanges());
  }

  private async readChanges(): Promise<void> {
    const { settings, changes, clock } = this.ports;
    try {
      while (this.isChanged) {
        this.isChanged = false;
        // Uses the time before the read, because a change may be committed while the answer is on its way.
        const at = clock.now();
        const isListening = changes.isListening();
        const read = await settings.read();
        this.settings = { ...read, installation: read.installation ?? this.settings.installation };
        this.readAt = at;
        this.isNewest = isListening && changes.isListening() && !this.isChanged;
      }
    } finally {
      // In the step that ends the loop: a call of `refresh` after it would otherwise get a read that has ended.
      this.reading = null;
    }
  }

  private next(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.stopped) return;
    const waitMs = this.isNewest ? POLL_MS * (1 + JITTER * (Math.random() - 0.5)) : POLL_ALONE_MS;
    this.timer = setTimeout(() => void this.readAgain(), waitMs).unref();
  }

  private readAgain(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return this.refresh()
      .catch((error: unknown) => this.ports.log.debug({ error }, 'the shared settings were not read'))
      .finally(() => this.next());
  }
}

/** Shared settings of a process that does not read them. */
export const NO_SETTINGS: Pick<SettingsCopy, 'shared' | 'current'> = {
  ...NO_ROLLOUT,
  shared: () => EMPTY,
};
