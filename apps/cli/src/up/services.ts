import { consoleService } from '@casefile/console/console';
import { criticWriter } from '@casefile/critic-writer/main';
import { decision } from '@casefile/decision/main';
import { evidenceCollector } from '@casefile/evidence-collector/main';
import { ingest } from '@casefile/ingest/main';
import { reasoner } from '@casefile/reasoner/main';
import type { ServiceDefinition } from '@casefile/runtime';

/** Every service, in the order in which they are stopped: what takes work in first, what shows it last. */
export const SERVICES: readonly ServiceDefinition[] = [
  ingest,
  evidenceCollector,
  reasoner,
  criticWriter,
  decision,
  consoleService,
];
