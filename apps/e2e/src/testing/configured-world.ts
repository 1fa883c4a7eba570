import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseDocument } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder } from '@casefile/contracts/testing';
import { criticWriter } from '@casefile/critic-writer/critic-writer';
import { decision } from '@casefile/decision/decision';
import { evidenceCollector } from '@casefile/evidence-collector/evidence-collector';
import { ingest } from '@casefile/ingest/ingest';
import { reasoner } from '@casefile/reasoner/reasoner';
import { assemble, connect, readConfig, startService, stopServices, type Platform } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { inlineQueues } from './inline-queues.js';
import { systemDatabase } from './system-database.js';
import { ended, senderTo, testEnvironment } from './world.js';

/** All services, with the models of the configuration. */
export interface ConfiguredWorld {
  platform: Platform;
  /** Submits an alert as a sender does. */
  accept: ReturnType<typeof senderTo>;
  /**
   * Returns the documents of these cases when each has ended or waits for a person.
   * @param withinMs Limit for each case after the previous one.
   */
  ended(caseIds: string[], withinMs?: number): Promise<CaseDocument[]>;
  close(): Promise<void>;
}

const OVER = ['decided', 'stopped', 'quarantined', 'parked'];

/**
 * Starts on Postgres and a queue in this process, with this YAML merged into the shipped configuration.
 * @param filled A database to copy and use.
 */
export async function configuredWorld(
  yaml: string,
  extra: Record<string, string>,
  filled?: TestDatabase,
): Promise<ConfiguredWorld> {
  const database = await (filled === undefined ? systemDatabase() : testDatabase(undefined, filled));
  const dir = temporaryFolder('configured');
  writeFileSync(join(dir, 'own.yaml'), yaml);
  const urls = { DATABASE_URL: database.url, QUEUE_URL: database.url };
  const files = { CASEFILE_DATA: dir, CASEFILE_CONFIG: join(dir, 'own.yaml') };
  const config = readConfig(testEnvironment({ ...urls, ...files, ...extra }), kinds);
  const { adapters, close } = await connect(config, [], { openQueues: inlineQueues });
  const platform = assemble(adapters);
  const services: Awaited<ReturnType<typeof startService>>[] = [];
  for (const definition of [ingest, evidenceCollector, reasoner, criticWriter, decision]) {
    services.push(await startService(definition, platform));
  }
  platform.sweeper.start();
  return {
    platform,
    accept: senderTo(platform),
    ended: async (caseIds, withinMs) => {
      // Reads one after another: concurrent reads would take all connections that the cases need.
      const cases: CaseDocument[] = [];
      for (const id of caseIds) cases.push(await ended(platform, id, withinMs, OVER));
      return cases;
    },
    close: async () => {
      await stopServices(services, platform, 2_000);
      await close();
      await database.drop();
    },
  };
}
