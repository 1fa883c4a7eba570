// `node tools/fault-run.mjs [--redis | --postgres] [--cases 40] [--kills 15] [--every-ms 3000] [--model-ms 700] [--seed 1]`:
// real processes, one killed with -9 at random again and again; exit code 1 when anything was lost, decided or paid twice.
// `--rollouts 20` instead: all are stopped in order that often, beside hostile clients; exit code 1 also when one stop took
// more than 30 s or a process did not end by itself.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/fault-run/main.js');
