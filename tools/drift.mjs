// Replays the migrations in a scratch database and compares the outcome with schema.prisma: exit code 1 and the
// difference when they do not agree. `npm run drift -- <url of a server where scratch databases may be made>`
import { build } from './build.mjs';

const [serverUrl] = process.argv.slice(2);
if (serverUrl === undefined) {
  console.error('usage: npm run drift -- <database url>, on a server where scratch databases may be made');
  process.exit(2);
}
await build(['libs/contracts', 'libs/store']);
const { findDrift } = await import('../libs/store/dist/schema/drift.js');
const difference = await findDrift(serverUrl);
console.log(difference === '' ? 'no drift: the migrations make what schema.prisma says' : difference);
process.exitCode = difference === '' ? 0 : 1;
