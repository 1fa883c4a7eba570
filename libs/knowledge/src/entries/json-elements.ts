import { CasefileError } from '@casefile/contracts';

const CODE = {
  quote: 0x22,
  comma: 0x2c,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** One element of a list: its value and its bytes in the text. */
export interface JsonElement {
  value: unknown;
  bytes: number;
}

/**
 * Parses the elements of a JSON list one by one, so that only one is in memory as a value.
 * @param text UTF-8 that begins with `[`, perhaps after blanks.
 * @throws CasefileError `unreadable_file` that names the broken element.
 */
export function* jsonElements(text: Buffer): Generator<JsonElement> {
  let at = afterBlanks(text, 0) + 1;
  if (text[afterBlanks(text, at)] === CODE.closeArray) return checkEnd(text, afterBlanks(text, at) + 1);
  for (let index = 0; ; index += 1) {
    const end = endOfElement(text, at);
    const closing = text[end];
    if (closing === undefined) throw broken('the list has no end');
    yield { value: parsed(text.toString('utf8', at, end), index), bytes: end - at };
    if (closing === CODE.closeArray) return checkEnd(text, end + 1);
    if (closing !== CODE.comma) throw broken(`[${index}]: expected , or ] after it`);
    at = end + 1;
  }
}

function parsed(text: string, index: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw broken(`[${index}]: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** Position of the comma or bracket after the element. */
function endOfElement(text: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text[at];
    if (code === CODE.quote) at = endOfString(text, at + 1);
    else if (code === CODE.openArray || code === CODE.openObject) depth += 1;
    else if (code === CODE.closeArray || code === CODE.closeObject) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === CODE.comma && depth === 0) return at;
  }
  return text.length;
}

function endOfString(text: Buffer, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === CODE.backslash) at += 1;
    else if (text[at] === CODE.quote) return at;
  }
  return text.length;
}

/** Position of the first byte that is no blank. */
export function afterBlanks(text: Uint8Array, from: number): number {
  let at = from;
  while (at < text.length && (text[at] ?? 0) <= 0x20) at += 1;
  return at;
}

function checkEnd(text: Buffer, from: number): void {
  if (afterBlanks(text, from) < text.length) throw broken('there is more text after the list');
}

function broken(why: string, cause?: unknown): CasefileError {
  return new CasefileError('unreadable_file', `the file is not JSON: ${why}`, { cause });
}
