import type { Span } from '@casefile/contracts';

/** Elements of a document, in their order. */
export type Block =
  | { kind: 'heading'; level: number; title: string; page?: number; line?: number }
  | { kind: 'text'; text: string; page?: number; lines?: Span };

/** Output of a parser. */
export interface ParsedBlocks {
  blocks: Block[];
  /** Title stated in the document; null: none. */
  title: string | null;
  /** BCP 47. */
  language: string | null;
  /** null: the document has no pages. */
  pages: number | null;
  /** Sections marked as confidential in the document, named as in `ParseOptions`; absent: none. */
  confidential?: readonly string[];
}

export interface ParseContext {
  signal: AbortSignal;
  /** Reports progress: pages of the total, or 0 and 1. */
  onProgress: (done: number, total: number) => void;
}

/**
 * Parser of one format. @throws CasefileError `encrypted_document`, `unreadable_document`,
 * `unknown_encoding`, `too_large`.
 */
export interface DocumentParser {
  parse(bytes: Uint8Array, context: ParseContext): Promise<ParsedBlocks>;
}
