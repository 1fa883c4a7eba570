// Replays the migrations in a scratch database and compares the result with the schema. If they differ,
// prints the difference and exits with code 1. `npm run drift [-- <url of a server where scratch databases
// may be created>]`. Without a URL it starts a private Postgres.
import { build } from './build.mjs';
import { withPostgres } from './with-postgres.mjs';

const [serverUrl] = process.argv.slice(2);
await build(['libs/contracts', 'libs/store']);
const { findDrift } = await import('../libs/store/dist/schema/drift.js');
const difference =
  serverUrl === undefined ? await withPostgres((url) => findDrift(url)) : await findDrift(serverUrl);
console.log(difference === '' ? 'no drift: the migrations make what the schema says' : difference);
process.exitCode = difference === '' ? 0 : 1;
