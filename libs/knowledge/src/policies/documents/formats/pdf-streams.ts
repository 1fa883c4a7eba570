import { inflateSync } from 'node:zlib';
import { figure, tooLarge } from '../document-limits.js';

/** Unpacked bytes of one stream: a page of a dense map has a tenth, a whole Chinese font half of them. */
const MAX_STREAM = 32_000_000;
const MAX_ALL = 300_000_000;
/** Bytes in front of a stream that can describe it. */
const LONGEST_HEAD = 2_000;
const ADVICE = 'Print it to a new PDF, or divide it into several documents.';

/**
 * Unpacks each stream of a PDF that is not an image, and keeps none: the reader of PDF would unpack a page before its size can be
 * known. @throws CasefileError `too_large`.
 */
export function refuseLargeStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let all = 0;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at)) {
    const isEnd = file.toString('latin1', at - 3, at) === 'end';
    const head = headOf(file, at);
    at += 'stream'.length;
    if (isEnd || !/\/(?:FlateDecode|Fl)\b/.test(head)) continue;
    // Images are not unpacked when text is read.
    if (/\/Subtype\s*\/Image\b/.test(head)) continue;
    const end = file.indexOf('endstream', at);
    all += unpackedLength(file.subarray(startOf(file, at), end < 0 ? file.length : end));
    if (all > MAX_ALL) throw tooLarge(`unpacks to more than ${figure(MAX_ALL)} bytes`, ADVICE);
  }
}

function headOf(file: Buffer, at: number): string {
  const before = file.toString('latin1', Math.max(0, at - LONGEST_HEAD), at);
  return before.slice(before.lastIndexOf(' obj') + 1);
}

// `stream` is followed by a line end, which is no part of it.
function startOf(file: Buffer, at: number): number {
  const start = file[at] === 0x0d ? at + 1 : at;
  return file[start] === 0x0a ? start + 1 : start;
}

function unpackedLength(packed: Buffer): number {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_STREAM }).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(`has a page or a font that unpacks to more than ${figure(MAX_STREAM)} bytes`, ADVICE);
    // Broken or encrypted: the reader of PDF decides what can be read of it.
    return 0;
  }
}
