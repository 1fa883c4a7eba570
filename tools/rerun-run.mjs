// `node tools/rerun-run.mjs [--times 36] [--outage 300] [--paced 1000] [--rate 8] [--cases 10000] [--kills 10] [--every-ms 20000]
// [--model-ms 300] [--seed 1]`, 0 leaves a part out: judges every sample so often and replays all of it twice with no model
// reachable; takes a provider away while alerts come in and judges them again by one command; judges cases again in a batch at a
// rate, and once more while services are killed and stopped. Exit code 1 when a verdict or a request differs, anything was
// opened, paid or handed out twice, the rate is more than 5 % off, or what was said to be left with a tenth done more than 10 %.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/rerun-run/main.js');
