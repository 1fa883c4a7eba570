// `node tools/deadline-run.mjs [--cases 200] [--at-once 50] [--within-ms 10000] [--seed 1]`: researches that have to end within a
// time T, with a provider that hangs in a role that the seed draws; exit code 1 when a report came later than 1.1 T.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/deadline-run/main.js');
