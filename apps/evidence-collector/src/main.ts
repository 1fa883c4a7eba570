import { runService } from '@casefile/runtime';
import { evidenceCollector } from './evidence-collector.js';

await runService(evidenceCollector);
