// `node tools/boundary-run.mjs [--cases 50] [--research]`: incidents, or researches of three rounds, one after another, all
// services killed with -9 at each commit that a case leaves on the record, with stages handed on by the queue and directly; exit
// code 1 when one did not end, ended otherwise than without a kill, or a recorded answer or result of a tool was asked for again.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/boundary-run/main.js');
