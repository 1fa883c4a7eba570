import { runService } from '@casefile/runtime';
import { reasoner } from './reasoner.js';

await runService(reasoner);
