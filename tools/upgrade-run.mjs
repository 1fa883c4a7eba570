// `node tools/upgrade-run.mjs [--from 4e5ec15] [--cases 24] [--model-ms 1500]`: starts the version of the commit `--from` on a
// new data folder, opens cases of every kind, and kills it with -9 while work is in flight. The current version continues on
// that folder, opens more cases and is killed the same way. Then the older version continues again. Prints how many cases each
// version accepted, decided, lost or doubled. Exit code 1 when a case was lost or doubled, or a version did not start.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/upgrade-run/main.js');
