import type { FoundValue } from './found-value.js';
import { normalView } from './normal-view.js';
import { eachMatch, flatMatches, type Steps } from './pieces.js';

/** Fewest and most digits of a phone number (most: E.164). */
const FEWEST = 7;
const MOST = 15;
/** Digits from which a number with a country code is usually complete. */
const WHOLE = 10;
/** Last digits by which spellings with and without country code are recognised as one number. */
const ENDING = 8;

/** With a country code, after a plus sign or as dialled. */
const INTERNATIONAL = /(?:(?<![\w+])\+|(?<![\w.,:+-])00(?=[ (]?[1-9])) ?\(?\d[\d ().\-/]{5,22}\d(?!\w)/g;
/** With the domestic prefix 0. */
const DOMESTIC = /(?<![\w.,:/+-])\(?0[1-9][\d ()\-/.]{5,16}\d(?![\w]|[.,:-]\d)/g;
/** Mobile numbers of China and India, and numbers of North America in three groups. */
const MOBILE_CN = /(?<![\w.+-])1[3-9]\d(?:[ -]?\d{4}){2}(?![\w-]|\.\d)/g;
const MOBILE_IN = /(?<![\w.+-])[6-9]\d{4}[ -]?\d{5}(?![\w-]|\.\d)/g;
const NORTH_AMERICA = /(?<![\w.+-])\(?[2-9]\d{2}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?![\w-]|\.\d)/g;
/** After a word that announces a number. */
const ANNOUNCED =
  /(?:call|phone|tel|whats ?app|text|dial|contact|helpline|number|sms|mobile|fax|电话|手机|कॉल|फोन|नंबर)[^\d+\0"\n]{0,20}(\(?\d[\d ().-]{5,18}\d)(?!\w)/giu;
/** In a link to a conversation. */
const LINKED = /(?:wa\.me\/|whatsapp\.com\/send\?phone=|t\.me\/\+)\+?(\d{7,15})(?!\w)/g;
/** Digits in any groups, which are a phone number if a known number ends with them. */
const GROUPS = /(?<![\w+])\(?\d[\d ().\-/]{5,20}\d(?!\w)/g;
const DATE = /^\(?(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2})(?!\d)/;

/**
 * Returns phone numbers with a country code, with a domestic prefix, in usual forms of China, India and North
 * America, after a word such as `call`, and every number that ends like a known one.
 */
export function* findPhones(given: string, endings: ReadonlySet<string>): Steps<FoundValue[]> {
  const text = withDigits(given);
  const onLines = yield* phonesOnLines(text, endings);
  const joined = text.replaceAll(/(?<=[\d)-])[ ]?\n[ ]?(?=[\d(])/g, (end) => ' '.repeat(end.length));
  if (joined === text) return onLines;
  // A number that is whole before the line end does not take up what follows there.
  const whole = new Set(
    onLines.filter(({ from, to }) => digitCount(text.slice(from, to)) >= WHOLE).map(({ from }) => from),
  );
  const overLines = yield* flatMatches(joined, INTERNATIONAL, ([number], index) =>
    whole.has(index) ? [] : phone(index, number),
  );
  return [...overLines, ...onLines];
}

const digitCount = (written: string): number => written.replaceAll(/\D/g, '').length;

/** Reads the letter O next to a digit as a zero, at the same length. */
function withDigits(text: string): string {
  return text.replaceAll(/(?<![\p{L}])O(?=[\dO])|(?<=\d)O(?=[\dO \-/]|$)/gu, '0');
}

function* phonesOnLines(text: string, endings: ReadonlySet<string>): Steps<FoundValue[]> {
  const found: FoundValue[] = [];
  const add = (from: number, number: string) => found.push(...phone(from, number));
  for (const pattern of [INTERNATIONAL, DOMESTIC, MOBILE_CN, MOBILE_IN, NORTH_AMERICA])
    yield* eachMatch(text, pattern, ([number], index) => add(index, number));
  for (const pattern of [ANNOUNCED, LINKED])
    yield* eachMatch(text, pattern, ([whole, number = ''], index) =>
      add(index + whole.length - number.length, number),
    );
  yield* eachMatch(text, GROUPS, ([number], index) => {
    if (endings.has(endingOf(number))) add(index, number);
  });
  return found;
}

function phone(from: number, number: string): FoundValue[] {
  const length = digitCount(number);
  if (length < FEWEST || length > MOST + 2 || DATE.test(number)) return [];
  return [{ from, to: from + number.length, label: 'PHONE', plain: endingOf(number) }];
}

/** Adds the endings of the numbers with a country code to `endings`. */
export function* learnPhones(text: string, endings: Set<string>): Steps<void> {
  const view = yield* normalView(text);
  yield* eachMatch(withDigits(view.text), INTERNATIONAL, ([number]) => {
    const ending = endingOf(number);
    if (ending.length === ENDING) endings.add(ending);
  });
}

function endingOf(number: string): string {
  return number.replaceAll(/\D/g, '').slice(-ENDING);
}
