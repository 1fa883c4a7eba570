// `npm run fuzz -- [--seed 1] [--rounds 20] [--only requests]`: throws seeded hostile input at a whole Casefile in one process
// (upgrades, images, bodies of many values, keys named like members of Object, odd requests of every operation, answers of a
// hostile model) and prints a table; exit code 1
// when the process ended, answered 5xx to input, or did not judge an ordinary alert afterwards.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/fuzz/main.js');
