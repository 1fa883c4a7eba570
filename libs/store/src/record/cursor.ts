import { instantMs, InvalidInput } from '@casefile/contracts';

/** The end of a page of cases. The next page begins after it. Times are in microseconds, as in Postgres. */
export interface CasePlace {
  createdAt: string;
  id: string;
}

// A time within the range of Postgres: 17 digits reach the year 5138.
const PLACE = /^(\d{1,17})\.([^\0]{1,500})$/;
const OF_UUID = /\.[0-9a-f-]{36}$/;

function placeCursor(place: CasePlace): string {
  return Buffer.from(`${place.createdAt}.${place.id}`).toString('base64url');
}

/**
 * Returns the place in a cursor.
 * @param ofUuid false: the id may be other than a UUID, as in dead letters stored by other programs.
 * @throws InvalidInput for a text that `placeCursor` did not create.
 */
export function placeOfCursor(cursor: string, { ofUuid = true } = {}): CasePlace {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const match = PLACE.exec(text);
  if (match === null || (ofUuid && !OF_UUID.test(text)))
    throw invalid('cursor', 'expected the nextCursor of an earlier answer');
  return { createdAt: match[1]!, id: match[2]! };
}

/** A row of a paged list, with its time in microseconds (`atUs`). */
interface ListedRow {
  id: string;
  at_us: string;
}

/**
 * Returns the page and the cursor of the next page, from rows that were queried with one more than the page
 * holds.
 */
export function pageOf<R extends ListedRow>(
  rows: R[],
  limit: number,
): { page: R[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const goesOn = rows.length > limit && last !== undefined;
  return { page, nextCursor: goesOn ? placeCursor({ createdAt: last.at_us, id: last.id }) : null };
}

/** Returns the time column on which paging is based. */
export const atUs = (time: string): string =>
  `(extract(epoch from ${time}) * 1000000)::bigint::text as at_us`;
/** Returns SQL for the time of a cursor's place, from a parameter. */
export const timeOfPlace = (parameter: string): string =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`;

/** Returns the parts of an event id. @throws InvalidInput for any other text. */
export function placeOfEvent(id: string): { xid: string; id: string } {
  const match = /^(\d{1,19})\.(\d{1,19})$/.exec(id);
  if (match === null) throw invalid('after', 'expected the id of an event, two numbers joined by a dot');
  return { xid: match[1]!, id: match[2]! };
}

/**
 * Converts a time in ISO 8601 to the form that the store compares.
 * @throws InvalidInput that names the field.
 */
export function instantOf(field: string, text: string): string {
  const at = instantMs(text);
  if (at === null) throw invalid(field, 'expected a date and time in ISO 8601');
  return new Date(at).toISOString();
}

/**
 * Returns the last instant of a period. A date means its whole day in UTC, a time means this time.
 * @throws InvalidInput that names the field.
 */
export function lastInstantOf(field: string, text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const last = instantOf(field, isDate ? `${text}T23:59:59.999Z` : text);
  // Postgres stores microseconds.
  return isDate ? last.replace('Z', '999Z') : last;
}

function invalid(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'query');
}
