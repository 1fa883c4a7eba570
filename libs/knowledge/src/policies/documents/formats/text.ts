import type { Block, DocumentParser } from '../block.js';
import { decodeText } from '../decode-text.js';
import { contentsLines, headingReader } from '../numbered-heading.js';
import { isTableHead, withTableRows } from './plain-tables.js';

const UNDERLINE = /^\s*([=\-~*^#"+])\1{2,}\s*$/;
/** Lines of lists, of tables and with indentation are not joined. */
const OWN_LINE = /^(?:\s*(?:[-*•+]|\d+[.)]|\([a-z0-9]+\)|\|)\s|\s{4,}\S|\t)/;
/** A line with this indentation is a heading only if it begins with a word such as `section`. */
const SET_IN = /^\s{4,}(?!\s|(?:chapter|section|article|part|annex|appendix)\s)/i;
const LONGEST_TITLE = 120;
const LONGEST_LINE = 300;

interface Line {
  text: string;
  number: number;
  page: number;
}

/** Plain text: separate lines that are numbered or underlined make the sections, form feeds the pages. */
export const plainText: DocumentParser = {
  async parse(bytes) {
    const text = decodeText(bytes);
    const lines = textLines(text);
    const pages = text.includes('\f') ? (lines.at(-1)?.page ?? 1) : null;
    const blocks = textBlocks(lines, pages !== null);
    const first = lines.find((line) => line.text.trim() !== '')?.text.trim() ?? '';
    const title = first !== '' && first.length <= LONGEST_TITLE ? first : null;
    return { blocks, title, language: null, pages };
  },
};

function textLines(text: string): Line[] {
  let page = 1;
  return text.split('\n').map((raw, i) => {
    page += raw.split('\f').length - 1;
    return { text: raw.replaceAll('\f', ''), number: i + 1, page };
  });
}

function textBlocks(lines: readonly Line[], paged: boolean): Block[] {
  const blocks: Block[] = [];
  const readNumbered = headingReader();
  const underlined = underlinesNumbers(lines);
  const contents = contentsLines(lines.map(({ text }) => text));
  const signs: string[] = [];
  let paragraph: Line[] = [];
  const flush = (): void => {
    const [first] = paragraph;
    const last = paragraph.at(-1);
    if (first !== undefined && last !== undefined) {
      const place = paged ? { page: first.page } : {};
      blocks.push({
        kind: 'text',
        text: joinedLines(paragraph),
        lines: { from: first.number, to: last.number },
        ...place,
      });
    }
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i];
    if (line === undefined) break;
    const title = line.text.trim();
    const next = lines[i + 1]?.text ?? '';
    const short = title !== '' && line.text.length <= LONGEST_LINE;
    const alone = paragraph.length === 0 && short && !SET_IN.test(line.text);
    const isHead = isTableHead(line.text, lines[i + 2]?.text ?? '');
    const mayBeUnderlined = alone && title.length <= LONGEST_TITLE && !isHead;
    const underline = mayBeUnderlined ? UNDERLINE.exec(next)?.[1] : undefined;
    const isAlone = alone && (next.trim() === '' || underline !== undefined);
    const mayBeNumbered = isAlone && !contents.has(i) && (underline !== undefined || !underlined);
    const numbered = mayBeNumbered ? readNumbered(title) : null;
    if (numbered === null && (underline === undefined || UNDERLINE.test(title))) {
      if (title === '') flush();
      else paragraph.push(line);
      continue;
    }
    if (underline !== undefined && !signs.includes(underline)) signs.push(underline);
    const level = numbered?.level ?? signs.indexOf(underline ?? '') + 1;
    blocks.push({ kind: 'heading', level, title, line: line.number, ...(paged ? { page: line.page } : {}) });
    if (underline !== undefined) i += 1;
  }
  flush();
  return blocks;
}

/** If numbered headings are underlined, a numbered line without underline is a list item. */
function underlinesNumbers(lines: readonly Line[]): boolean {
  const isUnderlined = ({ text }: Line, i: number): boolean =>
    /^\d/.test(text) && UNDERLINE.test(lines[i + 1]?.text ?? '');
  return lines.filter(isUnderlined).length >= 3;
}

/** Joins the lines of a paragraph, so that sentences are whole. Rows of a table are lines of their own. */
function joinedLines(lines: readonly Line[]): string {
  let text = '';
  let isAfterRow = false;
  for (const { text: line, isRow } of withTableRows(lines.map((one) => one.text))) {
    const trimmed = line.trimEnd();
    if (text === '') text = trimmed;
    else if (isRow || isAfterRow || OWN_LINE.test(line)) text += `\n${trimmed}`;
    else text += ` ${trimmed.trimStart()}`;
    isAfterRow = isRow;
  }
  return text;
}
