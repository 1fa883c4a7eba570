import { eachMatch, type Steps, type Range } from './pieces.js';

/**
 * A text in one spelling, in which values are found, with the place of each of its characters in the text as written.
 * Compatibility forms, digits of other scripts, dashes and blanks are one character each, invisible characters and tags of
 * emphasis are left out, entities, percent-encoding and JSON escapes are decoded once, and "[.]", "(at)" and the like are
 * the characters that they stand for. Letters that imitate Latin ones are Latin in a word with Latin letters.
 */
export interface NormalView {
  readonly text: string;
  /** Whether the view is the text itself. */
  readonly isSame: boolean;
  /** Returns the range of the written text that a range of the view stands for. */
  place(from: number, to: number): Range;
}

/** Forms that the view replaces. Each has a bounded length. */
const LINE = /[\u0085\u2028\u2029]/;
const BLANK = /[\t\u1680\u2000-\u200a\u00a0\u202f\u205f\u3000]/;
const HIDDEN = /(?:\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5)/u;
const DASH = /[\u2010-\u2015\u2043\u2212\u30fb\ufe58\ufe63\uff0d\u00b7\u2022\u2219]/;
const STOP = /[\u3002\uff61\u2024]/;
const FORMS = [
  String.raw`\\(?:u[0-9a-fA-F]{4}|[^]|$)`,
  String.raw`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});`,
  String.raw`(?:%[0-9a-fA-F]{2}){1,64}`,
  String.raw`[ \t]{0,2}[[({][ \t]{0,2}(?:[.@:]|at|ät|dot|punkt|punto|ponto|point|arroba)[ \t]{0,2}[\])}][ \t]{0,2}`,
  String.raw`<\/?(?:b|i|u|em|strong|span|font|wbr|small|mark|tt)(?: (?:class|style|color|size|dir|lang)=[^<>]{0,200})?\/?>`,
  String.raw`\r\n?`,
  LINE.source,
  BLANK.source,
  `${HIDDEN.source}{1,64}`,
  DASH.source,
  STOP.source,
  String.raw`[^\0-\x7f\u00c0-\u0131\u0400-\u052f\u0620-\u065f\u0900-\u0965\u0970-\u09e5\u1ea0-\u1ef9\u3041-\u3096\u30a1-\u30fa\u3400-\ud7ff]`,
].join('|');
const FORM = new RegExp(FORMS, 'giu');
/** Whether a text may contain one of the forms. */
const MAY_DIFFER = /[^\n\x20-\x7e]|[\\&%<]|[[({][ \t]{0,2}(?:[.@:]|at|dot|punkt|punto|ponto|point|arroba)/i;

const samePlace = (from: number, to: number): Range => [from, to];

/** Returns the view of a text. Takes time in proportion to its length. */
export function* normalView(text: string): Steps<NormalView> {
  if (!MAY_DIFFER.test(text)) return { text, isSame: true, place: samePlace };
  const builder = new Builder(text);
  yield* eachMatch(text, FORM, ([all], index) => builder.add(all, index));
  return yield* builder.view();
}

class Builder {
  private parts: string[] = [];
  private length = 0;
  private done = 0;
  /** Four numbers per replacement: start and length in the view, start and length in the text. */
  private readonly changes: number[] = [];

  constructor(private readonly written: string) {}

  add(written: string, index: number): void {
    if (written.startsWith('%')) return this.addBytes(written, index);
    const seen = charactersOf(written);
    if (seen !== written) this.change(index, written.length, seen);
  }

  // A character of percent-encoded UTF-8 gets the position of its bytes in the text. Bytes that are no UTF-8 stay as written.
  private addBytes(percent: string, index: number): void {
    const bytes = Buffer.from(percent.replaceAll('%', ''), 'hex');
    for (let i = 0; i < bytes.length;) {
      const size = Math.min(utf8Length(bytes[i]!), bytes.length - i);
      const character =
        size === 1 && bytes[i]! < 0x80
          ? String.fromCharCode(bytes[i]!)
          : bytes.subarray(i, i + size).toString();
      if (!character.includes('\ufffd') && !/\p{Cc}/u.test(character))
        this.change(index + 3 * i, 3 * size, folded(character));
      i += size;
    }
  }

  private change(from: number, length: number, seen: string): void {
    this.parts.push(this.written.slice(this.done, from), seen);
    this.length += from - this.done;
    this.changes.push(this.length, seen.length, from, length);
    this.length += seen.length;
    this.done = from + length;
  }

  *view(): Steps<NormalView> {
    this.parts.push(this.written.slice(this.done));
    const text = yield* withoutLookAlikes(this.parts.join(''));
    const { changes } = this;
    return {
      text,
      isSame: text === this.written,
      place: (from, to) => [placeOf(changes, from)[0], placeOf(changes, to - 1)[1]],
    };
  }
}

/** Returns the first place of one character of the view in the text, and the place after it. */
function placeOf(changes: readonly number[], at: number): Range {
  let low = 0;
  let high = changes.length / 4;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[4 * middle]! <= at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return [at, at + 1];
  const [start = 0, size = 0, from = 0, length = 0] = changes.slice(4 * low - 4, 4 * low);
  if (at < start + size) return [from, from + length];
  const place = from + length + (at - start - size);
  return [place, place + 1];
}

/** Cache of the replaced characters. Emptied at this size. */
const single = new Map<string, string>();
const MOST_SINGLE = 10_000;

/** Returns the replacement of a form. Its first character identifies the form. */
function charactersOf(written: string): string {
  const [first = ''] = written;
  if (first === '\\') return escaped(written);
  if (first === '&') return entityCharacter(written) ?? written;
  if (first === '<') return '';
  if (/[[({]/.test(written)) return guardedCharacter(written);
  if (first === '\r') return '\n';
  // Only hidden characters are a longer form.
  if (written.length > 2) return '';
  const known = single.get(written);
  if (known !== undefined) return known;
  if (single.size >= MOST_SINGLE) single.clear();
  const seen = singleCharacter(written);
  single.set(written, seen);
  return seen;
}

function singleCharacter(written: string): string {
  if (HIDDEN.test(written)) return '';
  if (LINE.test(written)) return '\n';
  if (BLANK.test(written)) return ' ';
  if (DASH.test(written)) return '-';
  return STOP.test(written) ? '.' : folded(written);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: ' ', '/': '/', '"': '"' };

// An escape of a character that no value contains ends a value, like an escaped quote of JSON within JSON.
function escaped(written: string): string {
  const code = /^\\u([0-9a-f]{4})$/i.exec(written)?.[1];
  if (code !== undefined) return folded(String.fromCharCode(parseInt(code, 16)));
  return ESCAPES[written[1] ?? ''] ?? '\0'.repeat(written.length);
}

/** Named entities of characters that values contain. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  commat: '@',
  period: '.',
  colon: ':',
  plus: '+',
  equals: '=',
  lowbar: '_',
  hyphen: '-',
  ndash: '-',
  mdash: '-',
  dash: '-',
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  sol: '/',
  lpar: '(',
  rpar: ')',
  shy: '',
  zwnj: '',
  zwj: '',
};

function entityCharacter(written: string): string | undefined {
  const name = written.slice(1, -1);
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? folded(String.fromCodePoint(code)) : undefined;
}

function guardedCharacter(written: string): string {
  const word = written.replaceAll(/[ \t[\](){}]/g, '').toLowerCase();
  if (word.length === 1) return word;
  return word === 'at' || word === 'ät' || word === 'arroba' ? '@' : '.';
}

/** First digit of each script whose digits people write in numbers. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
  0x1040, 0x17e0, 0x1810,
];

/** Returns a character in its compatible form, a digit of another script as an ASCII digit. */
function folded(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return character;
  if (/^(?:\p{Cf}|\p{Variation_Selector})$/u.test(character)) return '';
  if (/^\p{Nd}$/u.test(character)) {
    const zero = ZEROS.findLast((one) => one <= code && code < one + 10);
    if (zero !== undefined) return String(code - zero);
  }
  if (code >= 0x3400 && code <= 0xd7ff) return character;
  const plain = character.normalize('NFKC');
  return /^\s$/u.test(plain) ? ' ' : plain;
}

function utf8Length(first: number): number {
  if (first < 0xc0) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Letters of Greek and Cyrillic that look like Latin ones. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['аеорсухіјѕԁһԛԝ', 'aeopcyxijsdhqw'],
    ['АВЕКМНОРСТУХІЈЅ', 'ABEKMHOPCTYXIJS'],
    ['αορνικτυ', 'aopviktu'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, i) => [letter, to[i]!] as const)),
);
const MIXED = /[\p{sc=Latin}\p{sc=Cyrl}\p{sc=Grek}]{2,60}/gu;

function* withoutLookAlikes(text: string): Steps<string> {
  if (!/[\p{sc=Cyrl}\p{sc=Grek}]/u.test(text)) return text;
  const parts: string[] = [];
  let done = 0;
  yield* eachMatch(text, MIXED, ([word], index) => {
    if (!/[a-z]/i.test(word)) return;
    parts.push(
      text.slice(done, index),
      word.replaceAll(/[^a-z]/gi, (letter) => LOOK_ALIKES[letter] ?? letter),
    );
    done = index + word.length;
  });
  parts.push(text.slice(done));
  return parts.join('');
}
