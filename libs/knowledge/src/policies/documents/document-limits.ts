import { CasefileError } from '@casefile/contracts';

/** Most bytes of one document: about 3,000 pages of text. */
const MAX_BYTES = 10_000_000;
/** Most headings, paragraphs and list items of one document. */
export const MAX_BLOCKS = 20_000;
/** Deepest nesting of lists, quotes or elements. */
export const MAX_DEPTH = 100;
/** Most characters of a paragraph. The Markdown parser needs 250 bytes per character. */
export const MAX_PARAGRAPH = 500_000;
/** Most characters of all text of a PDF. */
export const MAX_PDF_TEXT = 5_000_000;

const DIVIDE = 'Divide it into several documents.';

/** @throws CasefileError `too_large` if the document has too many bytes to be read. */
export function refuseLarge(bytes: number): void {
  if (bytes > MAX_BYTES)
    throw tooLarge(`has ${formatCount(bytes)} bytes, and at most ${formatCount(MAX_BYTES)} can be read`);
}

/** @throws CasefileError `too_large` if the document has too many blocks. */
export function refuseManyBlocks(blocks: number): void {
  if (blocks > MAX_BLOCKS)
    throw tooLarge(`has more than ${formatCount(MAX_BLOCKS)} headings, paragraphs and list items`);
}

/** @throws CasefileError `unreadable_document` if blocks are nested too deeply. */
export function refuseDeep(depth: number): void {
  if (depth <= MAX_DEPTH) return;
  const message = `The document is nested too deeply: more than ${MAX_DEPTH} lists, quotes or elements in one another. Save it in a flatter form, or as plain text.`;
  throw new CasefileError('unreadable_document', message);
}

/** @param what Completes the message, for example `has 5 pages`. */
export function tooLarge(what: string, advice: string = DIVIDE): CasefileError {
  return new CasefileError('too_large', `The document ${what}. ${advice}`);
}

export const formatCount = (value: number): string => value.toLocaleString('en');
