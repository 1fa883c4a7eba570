// `node tools/show-trace.mjs`: one case through five processes with traces on, its trace printed as a tree.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/trace/main.js');
