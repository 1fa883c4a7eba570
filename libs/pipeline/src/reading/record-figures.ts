import { parseNumber } from './digits.js';
import { UNSPACED_LETTER } from './script.js';
import { CURRENCY } from './units.js';

/** A word with a digit in it: a figure, a time, a version or a name. */
const TOKEN = /[\p{L}\p{N}_]+(?:[.,:-][\p{L}\p{N}_]+)*/gu;
/** `匯款5000元`: a figure next to a letter of a script without blanks. */
const UNSPACED_EDGE = new RegExp(`(?<=\\d)(?=${UNSPACED_LETTER})|(?<=${UNSPACED_LETTER})(?=\\d)`, 'gu');
/** A comma that separates no digits, as in a row `a1,b2`. */
const ROW_COMMA = /(?<!\d),|,(?!\d)/;
/** `47`, `1,250`, `12.5`: a figure outside words, ids and links. */
const FIGURE = /(?<![\p{L}\d.,_/-])\d[\d,]{0,20}(?:\.\d{1,10})?(?![\p{L}\d_/]|-\p{L})/gu;
/** A figure with a currency before it or a short unit behind it. */
const NUMBER = new RegExp(`^(?:${CURRENCY})?(\\d[\\d.,]*)\\p{L}{0,4}$`, 'iu');
const TIME = /^\d{1,2}:\d{2}/;
const MOST_TOKEN = 100;
const MOST_READ = 400_000;
/** Decimals to which a figure may be rounded. */
const ROUNDED = [0, 1, 2];

/** Returns the words of a text that have a digit: figures, times, versions and names. */
export const tokensWithDigits = (text: string): string[] =>
  (text.replaceAll(UNSPACED_EDGE, ' ').match(TOKEN) ?? [])
    .flatMap((token) => token.split(ROW_COMMA))
    // The commas of a long row of figures do not separate thousands.
    .flatMap((token) => (token.length > MOST_TOKEN ? token.split(',') : [token]))
    .filter((token) => /\p{N}/u.test(token) && token.length <= MOST_TOKEN);

/** Returns the figures of a text that are not part of a word, an id or a link. */
export const plainFiguresIn = (text: string): string[] =>
  (text.match(FIGURE) ?? []).map((figure) => figure.replace(/(?<!,),+$/, ''));

/**
 * The figures and names of a record, of which the first 400,000 characters of each text are read. A figure also
 * matches in rounded form, a time without its seconds, and a name by its beginning.
 */
export class RecordFigures {
  private readonly numbers = new Set<string>();
  private readonly names = new Set<string>();

  constructor(...texts: (string | number)[]) {
    for (const text of texts)
      if (typeof text === 'number') this.addNumber(text);
      else
        for (const token of tokensWithDigits(text.slice(0, MOST_READ)))
          // Splits 2026-03-02T09:05:31Z, so that the time of day is known on its own.
          for (const part of token.toLowerCase().split(/(?<=\d)t(?=\d)/))
            this.add(part.replace(/^(\d{1,2}:[\d:.]{2,20})z$/, '$1'));
  }

  /** Returns whether the record has a figure, a time or a name. */
  has(token: string): boolean {
    const name = token.toLowerCase();
    if (this.names.has(name)) return true;
    const parts = name.split('-');
    if (parts.length > 1 && parts.every((part) => /^[\d.,]+$/.test(part) && this.has(part))) return true;
    const hundreds = /^([1-5])xx$/.exec(name)?.[1];
    if (hundreds !== undefined)
      return [...this.numbers].some((one) => one.length === 3 && one.startsWith(hundreds));
    const number = tokenNumber(name);
    return number !== null && this.numbers.has(String(number));
  }

  private add(token: string): void {
    let name = '';
    // A name also counts as known by each of its beginnings, because people shorten names of pods:
    // checkout-7f9c of checkout-7f9c-x2x1z.
    for (const part of token.split(/(?=[-.,:_])/).slice(0, 12)) {
      name += part;
      this.names.add(name);
      this.names.add(part.replace(/^[-.,:_]/, ''));
    }
    this.names.add(token);
    for (const part of [token, ...token.split(/[-,:]/)]) {
      const number = tokenNumber(part);
      if (number !== null) this.addNumber(number);
    }
  }

  private addNumber(number: number): void {
    this.numbers.add(String(number));
    for (const decimals of ROUNDED) this.numbers.add(String(Number(number.toFixed(decimals))));
  }
}

/** A figure without its thousands, its currency and its unit; null: a name, a version or a time. */
function tokenNumber(token: string): number | null {
  if (TIME.test(token)) return null;
  const [, digits] = NUMBER.exec(token) ?? [];
  return digits === undefined ? null : parseNumber(digits);
}
