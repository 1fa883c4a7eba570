// `node tools/rerun-run.mjs [--times 36] [--cases 500] [--kills 10] [--every-ms 3000] [--model-ms 300] [--seed 1]`: judges every
// sample so often and replays all of it twice with no model reachable; then judges cases again in a batch while services are
// killed. Exit code 1 when a verdict or a request differs, or anything was opened, paid or handed out twice.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/rerun-run/main.js');
