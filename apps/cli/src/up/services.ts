import { consoleService } from '@casefile/console/console';
import { criticWriter } from '@casefile/critic-writer/critic-writer';
import { decision } from '@casefile/decision/decision';
import { evidenceCollector } from '@casefile/evidence-collector/evidence-collector';
import { ingest } from '@casefile/ingest/ingest';
import { reasoner } from '@casefile/reasoner/reasoner';
import type { ServiceDefinition } from '@casefile/runtime';

/** Every service in stop order: intake first, console last. */
export const SERVICES: readonly ServiceDefinition[] = [
  ingest,
  evidenceCollector,
  reasoner,
  criticWriter,
  decision,
  consoleService,
];
