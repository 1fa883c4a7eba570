// `npm start`: installs missing packages, builds changed files, then runs `casefile up` with the given
// arguments.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithNpm } from './end-with-npm.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';

endWithNpm();
const installSeconds = await install();
const buildStarted = Date.now();
const { build } = await import('./build.mjs');
const written = await build();
const buildSeconds = (Date.now() - buildStarted) / 1000;
if (installSeconds > 0) console.error(`installed in ${installSeconds.toFixed(1)} s`);
if (written > 0) console.error(`built ${written} files in ${buildSeconds.toFixed(1)} s`);

const args = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== '--');
const main = join(root, 'apps/cli/dist/main.js');
process.argv = [process.execPath, main, 'up', ...args];
// The startup time is measured from here: see apps/cli/src/up/seconds-up.ts.
performance.mark('casefile-up');
await import(pathToFileURL(main).href);
