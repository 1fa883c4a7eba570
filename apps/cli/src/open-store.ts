import type { ScamReportInput, ScamReports } from '@casefile/contracts';
import { connect, readConfig, type Config } from '@casefile/runtime';
import { progressOf } from './output/progress.js';
import type { Terminal } from './output/terminal.js';
import { quietly } from './quietly.js';

export interface OpenStore {
  importScamReports(
    reports: ScamReportInput[],
    terminal: Terminal,
  ): Promise<{ inserted: number; replaced: number }>;
  close(): Promise<void>;
}

/** The store of a configuration, for a command that works on it without services. */
export async function openStore(config: Config = quietly(readConfig())): Promise<OpenStore> {
  const { adapters, close } = await connect(config, []);
  return {
    importScamReports: (reports, terminal) => importReports(adapters.store, reports, terminal),
    close,
  };
}

/** Imports reports, with a bar for the person who waits. All or nothing. */
export async function importReports(store: ScamReports, reports: ScamReportInput[], terminal: Terminal) {
  const progress = progressOf(terminal, 'importing', reports.length);
  try {
    const counts = await store.importAll(reports);
    progress.to(reports.length);
    return counts;
  } finally {
    progress.end();
  }
}
