import { CasefileError, type PolicyFormat, type PolicyInput } from '@casefile/contracts';
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { DocumentParser, ParseContext } from './block.js';
import { withConfidential } from './confidential-sections.js';
import { sectionTree } from './section-tree.js';
import { summariesOf } from './summarise.js';

interface FormatEntry {
  format: PolicyFormat;
  /** Of file names, in lower case, with the dot. */
  extensions: readonly string[];
  /** A process that reads no document does not pay for the parsers. */
  load(): Promise<DocumentParser>;
}

const FORMATS: readonly FormatEntry[] = [
  {
    ...{ format: 'markdown', extensions: ['.md', '.markdown'] },
    load: async () => (await import('./formats/markdown.js')).markdown,
  },
  {
    ...{ format: 'html', extensions: ['.html', '.htm', '.xhtml'] },
    load: async () => (await import('./formats/html.js')).html,
  },
  {
    ...{ format: 'text', extensions: ['.txt', '.text'] },
    load: async () => (await import('./formats/text.js')).plainText,
  },
  { ...{ format: 'pdf', extensions: ['.pdf'] }, load: async () => (await import('./formats/pdf.js')).pdf },
];
/** Raised when a parser makes other sections of the same file: it is read again then. */
const PARSER_VERSION = 1;
/** Of one file. */
const MAX_BYTES = 64 * 1024 * 1024;

/** File names of documents that can be read end in one of these. */
export const DOCUMENT_EXTENSIONS: readonly string[] = FORMATS.flatMap(({ extensions }) => extensions);

export interface DocumentFile {
  /** Its name says the format, and the policy's id where none is given. */
  name: string;
  bytes: Uint8Array;
}

export interface ParseOptions {
  /** In place of the one the name says. */
  format?: PolicyFormat;
  /**
   * Sections whose words stay on the record (S4-15), by title, number (`16.1`) or node id, or `all`; those below them
   * are too. Besides what the document says: `confidential:` in the front matter, `{confidential}` after a heading.
   */
  confidential?: readonly string[];
  signal?: AbortSignal;
  /** Pages of so many, for a document that has pages; else 1 of 1 at its end. */
  onProgress?: (done: number, total: number) => void;
}

/** A parsed document: `language` is null when the document does not say. */
export type ParsedDocument = Omit<PolicyInput, 'policyId' | 'language'> & { language: string | null };

/** Says whether a file need be read at all: the same bytes by the same parsers are the same document. SHA-256 in hex. */
export function sourceDigestOf(
  { name, bytes }: DocumentFile,
  { format, confidential = [] }: Pick<ParseOptions, 'format' | 'confidential'> = {},
): string {
  const marked = confidential.length === 0 ? '' : ` ${JSON.stringify(confidential)}`;
  const how = `${PARSER_VERSION} ${formatOf(name, format).format}${marked}\n`;
  return createHash('sha256').update(how).update(bytes).digest('hex');
}

/**
 * Reads a document into a tree of sections with summaries by extraction. S4-10, S4-14.
 * @throws CasefileError `unknown_format`, `unknown_encoding`, `encrypted_document`, `empty_document`, `too_large`,
 * `unknown_section`, `unreadable_document`; what the signal was aborted with.
 */
export async function parseDocument(file: DocumentFile, options: ParseOptions = {}): Promise<ParsedDocument> {
  const { signal = new AbortController().signal, onProgress = () => undefined } = options;
  const entry = formatOf(file.name, options.format);
  if (file.bytes.length > MAX_BYTES)
    throw new CasefileError(
      'too_large',
      `The file has ${file.bytes.length} bytes, ${MAX_BYTES} at most can be read`,
    );
  if (file.bytes.length === 0) throw new CasefileError('empty_document', 'The file is empty');
  const parsed = await parsedBy(entry, file.bytes, { signal, onProgress });
  const name = basename(file.name);
  const title = parsed.title ?? basename(name, extname(name));
  const named = [...(parsed.confidential ?? []), ...(options.confidential ?? [])];
  const sections = withConfidential(sectionTree(parsed.blocks, title), named);
  const summaries = summariesOf(sections);
  return {
    ...{
      title: title.slice(0, 1_000),
      language: languageOf(parsed.language),
      format: entry.format,
      source: name,
    },
    ...{ sourceDigest: sourceDigestOf(file, options), pages: parsed.pages },
    sections: sections.map((section, i) => ({ ...section, summary: summaries[i] ?? '' })),
  };
}

function formatOf(name: string, format: PolicyFormat | undefined): FormatEntry {
  const extension = extname(name).toLowerCase();
  const entry = FORMATS.find((one) => (format ? one.format === format : one.extensions.includes(extension)));
  if (entry !== undefined) return entry;
  const message = `${JSON.stringify(basename(name))} ends in none of ${DOCUMENT_EXTENSIONS.join(', ')}: say its format`;
  throw new CasefileError('unknown_format', message);
}

async function parsedBy({ format, load }: FormatEntry, bytes: Uint8Array, context: ParseContext) {
  try {
    const parser = await load();
    return await parser.parse(bytes, context);
  } catch (error) {
    if (error instanceof CasefileError || context.signal.aborted) throw error;
    // A stack that is exhausted is a document in a form nobody writes: a hundred thousand elements in one another.
    const why = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    throw new CasefileError('unreadable_document', `The ${format} document cannot be read: ${why}`, {
      cause: error,
    });
  }
}

function languageOf(named: string | null): string | null {
  const language = named?.trim().replaceAll('_', '-') ?? '';
  return /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/.test(language) ? language : null;
}
