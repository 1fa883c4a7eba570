import {
  formatCount,
  MAX_DEPTH,
  MAX_PARAGRAPH,
  refuseDeep,
  refuseManyBlocks,
  tooLarge,
} from '../document-limits.js';

/** A part of a Markdown text that can be parsed separately. */
export interface MarkdownPiece {
  /** Text of the piece, preceded by the link definitions. */
  text: string;
  /** Number of lines added in front. */
  added: number;
  /** Number of lines of the document before the piece. */
  linesBefore: number;
  lines: number;
}

/**
 * Characters after which a piece ends at the next possible place. The parser needs about 100 bytes for each.
 */
const ENOUGH = 100_000;
/** Most characters of link definitions, which are added to every piece. */
const MOST_DEFINITIONS = 100_000;

const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
/** A line that begins a top-level block after a blank line. */
const TOP = /^(?:#{1,6}\s|\p{L})/u;
const DEFINITION = /^ {0,3}\[[^\]]{1,300}\]:[ \t]*\S/;
const RULE = /^[\s*_-]+$/;
/** HTML that may contain blank lines: its beginning and its end. */
const HTML: readonly [RegExp, RegExp][] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:script|pre|style|textarea)\b/i, /<\/(?:script|pre|style|textarea)>/i],
];

/**
 * Cuts a Markdown text between blocks, so that the parser never holds a whole long text. The number of
 * blocks, their depth and the length of paragraphs are checked before parsing. @throws CasefileError
 * `too_large`, `unreadable_document`.
 */
export function markdownPieces(text: string, enough: number = ENOUGH): MarkdownPiece[] {
  const lines = text.split('\n');
  const definitions: string[] = [];
  const pieces: { from: number; to: number }[] = [];
  let from = 0;
  let blocks = 0;
  let size = 0;
  let paragraph = 0;
  /** Condition that ends the open fence, HTML or front matter. */
  let end: End | null = lines[0] === '---' ? (line) => line === '---' : null;
  for (const [i, line] of lines.entries()) {
    const isBlank = line.trim() === '';
    const starts = i === 0 || lines[i - 1]?.trim() === '';
    if (end === null && starts && size >= enough && TOP.test(line)) {
      pieces.push({ from, to: i });
      from = i;
      size = 0;
    }
    size += line.length + 1;
    if (end !== null) {
      if (i > 0 && end(line)) end = null;
      continue;
    }
    paragraph = isBlank ? 0 : paragraph + line.length + 1;
    if (paragraph > MAX_PARAGRAPH)
      throw tooLarge(
        `has a paragraph of more than ${formatCount(MAX_PARAGRAPH)} characters`,
        'Put a blank line between its paragraphs.',
      );
    if (isBlank) continue;
    if (starts || ITEM.test(line) || HEADING.test(line)) blocks += 1;
    refuseManyBlocks(blocks);
    refuseDeep(lineDepth(line));
    if (DEFINITION.test(line) && (starts || DEFINITION.test(lines[i - 1] ?? ''))) definitions.push(line);
    end = endOf(line);
  }
  pieces.push({ from, to: lines.length });
  const front = `${definitions.join('\n\n').slice(0, MOST_DEFINITIONS)}\n\n`;
  return pieces.map((piece, i) => {
    const own = lines.slice(piece.from, piece.to).join('\n');
    // Front matter must come first, so the first piece has its link definitions at the end, where nothing is
    // open.
    const text = pieces.length === 1 ? own : i === 0 ? `${own}\n\n${front}` : front + own;
    const added = i === 0 ? 0 : front.split('\n').length - 1;
    return { text, added, linesBefore: piece.from, lines: piece.to - piece.from };
  });
}

/** Returns whether a line ends an element that may contain blank lines. */
type End = (line: string) => boolean;

function endOf(line: string): End | null {
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined)
    return (next) => {
      const mark = next.trim();
      return mark.length >= fence.length && mark === (fence[0] ?? '').repeat(mark.length);
    };
  const [, close] = HTML.find(([begin, end]) => begin.test(line) && !end.test(line)) ?? [];
  return close === undefined ? null : (next) => close.test(next);
}

/** Number of lists and quotes that contain a line, by its marks and its indentation. */
function lineDepth(line: string): number {
  if (RULE.test(line)) return 0;
  let depth = 0;
  let at = 0;
  for (let blanks = 0; depth <= MAX_DEPTH && at < line.length;) {
    const char = line[at] ?? '';
    if (char === ' ' || char === '\t') {
      blanks += char === ' ' ? 1 : 4;
      at += 1;
      continue;
    }
    const [mark] = /^(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|$))/.exec(line.slice(at, at + 12)) ?? [];
    if (mark === undefined) return depth;
    depth += 1 + Math.floor(blanks / 2);
    blanks = 0;
    at += mark.length;
  }
  return depth;
}
