import type { Installation } from '../installation.js';
import type { AddedDataSource } from './data-sources.js';
import type { AddedDestination } from './destinations.js';
import type { RolloutState } from './rollout.js';

/** Settings on the record that change while processes run. Each process has a copy of them. */
export interface SharedSettings {
  rollout: RolloutState;
  /** By name. */
  dataSources: readonly AddedDataSource[];
  /** Destinations that were added on the page, by name. */
  destinations: readonly AddedDestination[];
  /** null: none was published, or this version of Casefile cannot read it. */
  installation: Installation | null;
}

/** Reads the settings that all processes share. */
export interface SharedSettingsReader {
  /** Reads all of them in one statement, so that they are from the same moment. */
  read(): Promise<SharedSettings>;
}
