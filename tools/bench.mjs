// `npm run bench [-- --json] [-- --quick]`: ratios measured side by side in one run, on private servers.
import { build } from './build.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { install } from './install.mjs';

endWithNpm();
await install();
await build();
await import('../apps/e2e/dist/bench/main.js');
