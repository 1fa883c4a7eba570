// `node tools/ends-run.mjs [--seed 1] [--at-once 1] [--only 'up, SIGTERM']`: starts each program that starts others, ends it by each signal, by
// a closed pipe and by kill -9, during its start, idle and under load, and beside 40 batches; exit code 1 when a process was
// left 10 s later, a stop took more than 20 s or an exit code was not the documented one.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/ends-run/main.js');
