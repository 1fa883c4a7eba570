import type { RolloutState } from '@casefile/contracts';

/** Age from which a copy counts as stale, in milliseconds: some reads have failed. */
export const STALE_AFTER_MS = 10_000;

/** Rolled-out changes as this process knows them. */
export interface RolloutView extends RolloutState {
  /**
   * Time at which this was last known to be the newest state, in milliseconds since 1970. null: nothing was read, so
   * nothing is rolled out.
   */
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
