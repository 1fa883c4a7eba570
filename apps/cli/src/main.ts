import { endInOrder, endProcess } from '@casefile/runtime/process-end';
import { processTerminal } from './output/terminal.js';
import { run } from './program.js';

endInOrder();
await endProcess(await run(process.argv.slice(2), processTerminal()));
