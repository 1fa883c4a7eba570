import { asCasefileError } from '@casefile/contracts';
import { urlAddress } from './server-url.js';
import { simpleQuery } from './session.js';

/**
 * SQL states of a concurrent creation: "duplicate database", or "unique violation" if it is slightly later.
 */
const ALREADY_THERE = ['42P04', '23505'];

/**
 * Creates the database `name` if it is missing. `url` names any database of the embedded server. Returns
 * whether it was created.
 */
export async function createDatabaseIfMissing(url: string, name: string): Promise<boolean> {
  const address = { ...urlAddress(url), database: 'postgres' };
  const found = await simpleQuery(
    address,
    `select datname from pg_database where datname = ${quotedText(name, "'")}`,
  );
  if (found.length > 0) return false;
  try {
    await simpleQuery(address, `create database ${quotedText(name, '"')}`);
    return true;
  } catch (error) {
    if (ALREADY_THERE.includes(String(asCasefileError(error).details['sqlState']))) return false;
    throw error;
  }
}

function quotedText(text: string, mark: string): string {
  return mark + text.replaceAll(mark, mark + mark) + mark;
}
