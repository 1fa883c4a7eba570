import type { DataSourceEntry } from '../ops-api-data-sources.js';
import type { Act } from '../act.js';

/**
 * Common name for the tools of all data sources, used where names of tools must be known from the start: their calls share
 * one queue, because data sources are added while the program runs.
 */
export const DATA_SOURCE_TOOLS = 'data_sources';

/** A data source that was added by an operator. */
export interface AddedDataSource {
  name: string;
  entry: DataSourceEntry;
  changedBy: string;
  changedAt: string;
  /** When a person last asked for a probe; null: never. */
  testRequestedAt: string | null;
}

/** Data sources on the record. */
export interface DataSources {
  /** Returns all, by name. */
  list(): Promise<AddedDataSource[]>;
  /** @throws CasefileError `conflict` if the name is used already, or if the act's id belongs to another act. */
  add(source: { name: string; entry: DataSourceEntry }, act: Act): Promise<AddedDataSource>;
  /** @returns false: there is none, and this act did not remove it. */
  remove(name: string, act: Act): Promise<boolean>;
  /** Asks the evidence collector for a probe. @returns the time of the request; null: there is no such source. */
  requestTest(name: string): Promise<string | null>;
}
