import { runService } from '@casefile/runtime';
import { decision } from './decision.js';

await runService(decision);
