// `node tools/alertmanager-run.mjs [--alerts 200] [--groups 20] [--senders 2] [--repeats 10] [--outage-seconds 30]`:
// alerts through real Alertmanagers (Debian's, started privately): fired, posted again, over while intake answers 503, and
// fired again. Exit code 1 when an alert was lost, or made a case or a run too many.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/alertmanager/main.js');
