import { rowsIn } from './run-casefile.js';

const FULL = 'could not extend file "base/5/16384": No space left on device';
const ON_EACH = (statement: string): string => `
  do $$ declare name text; begin
    for name in select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
    loop execute format('${statement}', name); end loop; end $$`;

/** Lets each write to a database fail with the error of a server whose disk is full. Reads go on. */
export async function fillDisk(databaseUrl: string): Promise<void> {
  await rowsIn(
    databaseUrl,
    `create or replace function full_disk() returns trigger language plpgsql
     as $$ begin raise exception using errcode = 'disk_full', message = '${FULL}'; end $$`,
  );
  await rowsIn(
    databaseUrl,
    ON_EACH(
      'create trigger full_disk before insert or update or delete on %I for each statement execute function full_disk()',
    ),
  );
}

/** Ends `fillDisk`. */
export async function freeDisk(databaseUrl: string): Promise<void> {
  await rowsIn(databaseUrl, ON_EACH('drop trigger if exists full_disk on %I'));
}
