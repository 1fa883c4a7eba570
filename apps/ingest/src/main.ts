import { runService } from '@casefile/runtime';
import { ingest } from './ingest.js';

await runService(ingest);
