// `node tools/fill-record.mjs [--cases 100000] [--interactions 1000000] [--dir FOLDER] [--explain] [--json]`
// Fills a record of that size in a private Postgres and times the reads behind the console's pages. With --dir the record
// stays, and a second call measures it again; CASEFILE_DATA=FOLDER shows it in the console.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/bench/fill-main.js');
