// `node tools/hostile-sizes.mjs [--only Git]`: inputs that are small as they are sent and large as they are read, each met by a
// service of its own: with which reason it refuses them, how long its event loop was blocked, and how much memory it and its
// children took at their peak. Exit code 1 when one was taken, blocked the loop for more than 250 ms, or took more than 300 MB. On
// a busy machine the loop is blocked by others: the time for which it waited for a processor is printed too.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/hostile-sizes/main.js');
