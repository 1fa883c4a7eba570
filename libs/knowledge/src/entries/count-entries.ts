import { CasefileError, countJson, IMPORT_LIMITS } from '@casefile/contracts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Counts a file of entries in one pass over its bytes, before a parser builds them: 10 MB of `{}` would take a
 * minute and 1.6 GB.
 * @throws CasefileError `too_large` that names the limit and the file's own number.
 */
export function refuseManyEntries(bytes: Uint8Array, isJson: boolean): void {
  if (!isJson) return refuse(countRows(bytes) - 1, 'entries', IMPORT_LIMITS.entries);
  const { outerItems, values } = countJson(bytes);
  refuse(outerItems, 'entries', IMPORT_LIMITS.entries);
  refuse(values, 'values', IMPORT_LIMITS.values);
}

/** @throws CasefileError `too_large` that names the limit and the file's own number of lines. */
export function refuseManyLines(bytes: Uint8Array): void {
  let lines = bytes.length === 0 || bytes.at(-1) === LINE_FEED ? 0 : 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  refuse(lines, 'lines', IMPORT_LIMITS.entries);
}

function refuse(count: number, what: string, most: number): void {
  if (count <= most) return;
  throw new CasefileError(
    'too_large',
    `The file has ${count} ${what}, and at most ${most} can be imported. Divide it into several files.`,
  );
}

/** Lines of a CSV that are not empty; a line break within quotes ends none. */
function countRows(bytes: Uint8Array): number {
  let rows = 0;
  let isQuoted = false;
  let isEmpty = true;
  for (const code of bytes) {
    if (code === QUOTE) isQuoted = !isQuoted;
    if (!isQuoted && (code === LINE_FEED || code === CARRIAGE_RETURN)) {
      isEmpty = true;
    } else if (isEmpty) {
      isEmpty = false;
      rows += 1;
    }
  }
  return rows;
}
