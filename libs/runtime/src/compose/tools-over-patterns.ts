import type { ScamPattern, Tool } from '@casefile/contracts';
import { createTools } from '@casefile/evidence';
import { createMemoryStore, createPatternSearch } from '@casefile/store';
import type { Config } from '../config/read-config.js';
import { embedderOf, evidenceSettings } from './connect.js';
import { systemClock } from './system.js';

/**
 * The tools of a configuration, looking known scam patterns up among these alone and in this process's memory: for
 * measuring look-ups without a database. @throws InvalidInput when a pattern is not one.
 */
export async function toolsOverPatterns(config: Config, scamPatterns: ScamPattern[]): Promise<Tool[]> {
  const store = createMemoryStore({ clock: systemClock });
  await store.importPatterns(scamPatterns);
  const patterns = createPatternSearch({ store, embedder: embedderOf(config) });
  return createTools(evidenceSettings(config), { scamReports: store, patterns });
}
