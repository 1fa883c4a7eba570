// `npm run migration -- NAME [database url]`: writes a migration with the changes of the schema in
// libs/store/prisma that the migrations lack, and generates the code that depends on the schema. Without a
// URL it starts a private Postgres for the comparison.
import { build } from './build.mjs';
import { withPostgres } from './with-postgres.mjs';

const [title, serverUrl] = process.argv.slice(2);
if (title === undefined || !/[a-z0-9]/i.test(title)) {
  console.error(
    'usage: npm run migration -- NAME [database url on a server where scratch databases may be made]',
  );
  process.exit(2);
}
await build(['libs/contracts', 'libs/store']);
const { writeMigration } = await import('../libs/store/dist/schema/write-migration.js');
const write = (url) => writeMigration(url, title);
const migration = serverUrl === undefined ? await withPostgres(write) : await write(serverUrl);
if (migration === null) console.log('no migration: the migrations make what the schema says');
else console.log(`libs/store/prisma/migrations/${migration.name}/migration.sql\n\n${migration.sql}`);
if (migration?.removes)
  console.log('\nThis takes something away: a version that runs during an upgrade may still use it.');
await build(['libs/store']);
