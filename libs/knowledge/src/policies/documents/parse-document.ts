import { CasefileError, type PolicyFormat } from '@casefile/contracts';
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { PolicyInput } from '../policy-base.js';
import type { DocumentParser, ParseContext } from './block.js';
import { refuseLarge, refuseManyBlocks } from './document-limits.js';
import { sectionTree, type ParsedSection } from './section-tree.js';

interface FormatEntry {
  format: PolicyFormat;
  /** File name extensions in lower case, with the dot. */
  extensions: readonly string[];
  /** Loaded on demand, so that only processes that read documents load the parsers. */
  load(): Promise<DocumentParser>;
}

const FORMATS: readonly FormatEntry[] = [
  {
    format: 'markdown',
    extensions: ['.md', '.markdown'],
    load: async () => (await import('./formats/markdown.js')).markdown,
  },
  {
    format: 'html',
    extensions: ['.html', '.htm', '.xhtml'],
    load: async () => (await import('./formats/html.js')).html,
  },
  {
    format: 'text',
    extensions: ['.txt', '.text'],
    load: async () => (await import('./formats/text.js')).plainText,
  },
  { format: 'pdf', extensions: ['.pdf'], load: async () => (await import('./formats/pdf.js')).pdf },
];
/** Raised if a parser makes other sections of the same file, which is then read again. */
const PARSER_VERSION = 3;
/** File name extensions of readable documents. */
export const DOCUMENT_EXTENSIONS: readonly string[] = FORMATS.flatMap(({ extensions }) => extensions);

export interface DocumentFile {
  /** The name determines the format and, if no policy id is given, the id. */
  name: string;
  bytes: Uint8Array;
}

export interface ParseOptions {
  /** Overrides the format determined by the name. */
  format?: PolicyFormat;
  /**
   * Sections whose words never leave the record, by title, number (`16.1`) or node id, or `all`; includes the
   * sections below them. In addition to marks in the document: `confidential:` in the front matter,
   * `{confidential}` after a heading.
   */
  confidential?: readonly string[];
  signal?: AbortSignal;
  /** Reports pages of the total; for a document without pages, 1 of 1 at the end. */
  onProgress?: (done: number, total: number) => void;
}

/** A parsed document; `language` is null if the document does not state one. */
export type ParsedDocument = Omit<PolicyInput, 'policyId' | 'language'> & { language: string | null };

/** Digest of a file and its parsers, SHA-256 in hex. With the same digest a file need not be read again. */
export function documentFileSourceDigest({ name, bytes }: DocumentFile, options: ParseOptions = {}): string {
  return createHash('sha256').update(parserDigestPart(name, options)).update(bytes).digest('hex');
}

/** The part of the digest that precedes the bytes: what else decides the result of the parser. */
export function parserDigestPart(
  name: string,
  { format, confidential = [] }: Pick<ParseOptions, 'format' | 'confidential'> = {},
): string {
  const marked = confidential.length === 0 ? '' : ` ${JSON.stringify(confidential)}`;
  return `${PARSER_VERSION} ${nameFormat(name, format).format}${marked}\n`;
}

/**
 * Reads a document into a tree of sections with extracted summaries.
 * @throws CasefileError `unknown_format`, `unknown_encoding`, `encrypted_document`, `empty_document`,
 * `too_large`, `unknown_section`, `unreadable_document`; the reason of the signal if aborted.
 */
export async function parseDocument(file: DocumentFile, options: ParseOptions = {}): Promise<ParsedDocument> {
  const { signal = new AbortController().signal, onProgress = () => undefined } = options;
  const entry = nameFormat(file.name, options.format);
  refuseLarge(file.bytes.length);
  if (file.bytes.length === 0) throw new CasefileError('empty_document', 'The file is empty');
  const parsed = await parsedBy(entry, file.bytes, { signal, onProgress });
  refuseManyBlocks(parsed.blocks.length);
  const name = basename(file.name);
  const title = parsed.title ?? basename(name, extname(name));
  const confidentialNames = [...(parsed.confidential ?? []), ...(options.confidential ?? [])];
  const sections = withConfidential(sectionTree(parsed.blocks, title), confidentialNames);
  const summaries = sectionSummaries(sections);
  return {
    title: title.slice(0, 1_000),
    language: namedLanguage(parsed.language),
    format: entry.format,
    source: name,
    sourceDigest: documentFileSourceDigest(file, options),
    pages: parsed.pages,
    sections: sections.map((section, i) => ({ ...section, summary: summaries[i] ?? '' })),
  };
}

function nameFormat(name: string, format: PolicyFormat | undefined): FormatEntry {
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
    // Stack exhaustion means an abnormal document, such as a hundred thousand nested elements.
    const why = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    throw new CasefileError('unreadable_document', `The ${format} document cannot be read: ${why}`, {
      cause: error,
    });
  }
}

function namedLanguage(tag: string | null): string | null {
  const language = tag?.trim().replaceAll('_', '-') ?? '';
  return /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/.test(language) ? language : null;
}

/** Mark after a heading: `## 16.1 List of indicators {confidential}`. */
const MARK = /(?<!\s)\s*\{\s*confidential\s*\}\s*$/i;

/**
 * Marks the confidential sections and those below them, and removes the mark from headings.
 * @param confidentialNames by title, number or node id; `all`.
 * @throws CasefileError `unknown_section`: a name without a section would protect nothing, unnoticed.
 */
function withConfidential(
  sections: readonly ParsedSection[],
  confidentialNames: readonly string[],
): ParsedSection[] {
  const requestedNames = new Set(confidentialNames.map(form).filter((name) => name !== ''));
  const matchedNames = new Set<string>();
  const marked = new Set<string>();
  const done = sections.map((section): ParsedSection => {
    const title = section.title.replace(MARK, '');
    const names = ['all', form(section.nodeId), form(title), form(/^[\d.]*\d/.exec(title)?.[0] ?? '')];
    const own = names.filter((name) => requestedNames.has(name));
    for (const name of own) matchedNames.add(name);
    const above = section.parentId !== null && marked.has(section.parentId);
    if (own.length === 0 && !above && title === section.title) return section;
    marked.add(section.nodeId);
    return { ...section, title, confidential: true };
  });
  const missingNames = [...requestedNames].filter((name) => !matchedNames.has(name));
  if (missingNames.length === 0) return done;
  const list = missingNames.map((name) => JSON.stringify(name)).join(', ');
  throw new CasefileError('unknown_section', `No section is called ${list}: nothing was imported`);
}

const form = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** Most characters of a summary. */
const LONGEST = 240;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Extracts a summary of each section, for when no model writes one: its first sentences and the titles of the
 * sections below it. The titles show a search what the section leads to.
 */
function sectionSummaries(sections: readonly ParsedSection[]): string[] {
  const below = new Map<string, string[]>();
  for (const { parentId, title } of sections) {
    if (parentId !== null) below.set(parentId, [...(below.get(parentId) ?? []), title]);
  }
  return sections.map(({ nodeId, text }) => {
    const titles = below.get(nodeId) ?? [];
    const parts = titles.length === 0 ? '' : shortenedText(titles.join('; '));
    const lead = textLead(text);
    return [lead, parts].filter((part) => part !== '').join(' Below: ');
  });
}

function textLead(text: string): string {
  const flat = text
    .slice(0, LONGEST * 4)
    .replace(/[\s|]+/g, ' ')
    .trim();
  let lead = '';
  for (const { segment } of sentences.segment(flat)) {
    if (lead !== '' && lead.length + segment.length > LONGEST) break;
    lead += segment;
  }
  return shortenedText(lead.trim());
}

function shortenedText(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, Math.max(text.lastIndexOf(' ', LONGEST), LONGEST / 2))} …`;
}
