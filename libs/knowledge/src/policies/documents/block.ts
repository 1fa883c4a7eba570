import type { Span } from '@casefile/contracts';

/** What a document consists of, in its order. */
export type Block =
  | { kind: 'heading'; level: number; title: string; page?: number; line?: number }
  | { kind: 'text'; text: string; page?: number; lines?: Span };

/** What a parser makes of a document. */
export interface ParsedBlocks {
  blocks: Block[];
  /** What the document says of itself; null: nothing. */
  title: string | null;
  /** BCP 47. */
  language: string | null;
  /** null: it has no pages. */
  pages: number | null;
  /** Sections that the document itself calls confidential, as `ParseOptions` names them; absent: none. */
  confidential?: readonly string[];
}

export interface ParseContext {
  signal: AbortSignal;
  /** How much is read, of how much: pages, or 0 and 1. */
  onProgress: (done: number, total: number) => void;
}

/** One format. @throws CasefileError `encrypted_document`, `unreadable_document`, `unknown_encoding`, `too_large`. */
export interface DocumentParser {
  parse(bytes: Uint8Array, context: ParseContext): Promise<ParsedBlocks>;
}
