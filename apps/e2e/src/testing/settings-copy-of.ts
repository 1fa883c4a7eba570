import { NO_CHANGES, silentLogger } from '@casefile/contracts';
import { SettingsCopy } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';

/** Returns a copy of the shared settings of a store that gets no notifications, and reads every 2 s. */
export function settingsCopyOf({ settings }: Pick<PostgresStore, 'settings'>): SettingsCopy {
  return new SettingsCopy({ settings, changes: NO_CHANGES, clock: { now: Date.now }, log: silentLogger });
}
