import { builtModule, type BoundedTask } from '@casefile/contracts';
import type { ParsedDocument } from './parse-document.js';
import type { ParseArgs } from './parse-task.js';

/** Parses a document, by a runner: parsers need many times the bytes of a document, and how many is known only afterwards. */
export const PARSE_DOCUMENT: BoundedTask<ParseArgs, ParsedDocument> = {
  what: 'The document',
  advice: 'Divide it into several documents, or save it as plain text.',
  limits: { memoryMb: 250, timeMs: 60_000 },
  module: builtModule('./parse-task.js', import.meta.url),
  load: () => import('./parse-task.js'),
};
