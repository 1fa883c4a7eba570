// `node tools/written-apart.mjs`: how near the labelled messages of samples/eval come to the scam patterns.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/written-apart/main.js');
