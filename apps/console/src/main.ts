import { runService } from '@casefile/runtime';
import { consoleService } from './console.js';

await runService(consoleService);
