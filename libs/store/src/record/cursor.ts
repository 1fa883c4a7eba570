import { InvalidInput } from '@casefile/contracts';

/** Where a page of cases ends: the next one begins after it. Times in microseconds, as Postgres has them. */
export interface CasePlace {
  createdAt: string;
  id: string;
}

// A time that Postgres has: 17 digits are in the year 5138.
const PLACE = /^(\d{1,17})\.([^\0]{1,500})$/;
const OF_UUID = /\.[0-9a-f-]{36}$/;

export function cursorOf(place: CasePlace): string {
  return Buffer.from(`${place.createdAt}.${place.id}`).toString('base64url');
}

/**
 * @param ofUuid false: what it names may have another id than a UUID, as a dead letter has that somebody else buried.
 * @throws InvalidInput for a text that `cursorOf` did not make.
 */
export function placeOfCursor(cursor: string, { ofUuid = true } = {}): CasePlace {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const match = PLACE.exec(text);
  if (match === null || (ofUuid && !OF_UUID.test(text)))
    throw invalid('cursor', 'expected the nextCursor of an earlier answer');
  return { createdAt: match[1]!, id: match[2]! };
}

/** The parts of an event id. @throws InvalidInput for what is not one. */
export function placeOfEvent(id: string): { xid: string; id: string } {
  const match = /^(\d{1,19})\.(\d{1,19})$/.exec(id);
  if (match === null) throw invalid('after', 'expected the id of an event, two numbers joined by a dot');
  return { xid: match[1]!, id: match[2]! };
}

/** ISO 8601 in, the same instant out in the form the store compares. @throws InvalidInput that names the field. */
export function instantOf(field: string, text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw invalid(field, 'expected a date and time in ISO 8601');
  return new Date(at).toISOString();
}

function invalid(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'query');
}
