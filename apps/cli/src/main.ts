import { processTerminal } from './output/terminal.js';
import { run } from './program.js';

// A reader that went away (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exit(await run(process.argv.slice(2), processTerminal()));
