import { find, withDigitsForMasks } from '../entities/links.js';
import { ENGLISH_MONTHS, ENGLISH_WEEKDAYS } from '../reading/index.js';
import '../entities/links.js';

// Registers the reserved ends of addresses.

/** A word, a mark such as LINK, or the end of a sentence. */
export interface Token {
  start: number;
  end: number;
  /** The token in lower case, marks in upper case, and `.` for the end of a sentence. */
  plain: string;
  /** Whether the word has a capital within a sentence, which in English means a name. Default: no. */
  isName?: true;
  /** Whether the token is a link behind words, which HTML as text shows in angle brackets. Default: no. */
  isTarget?: true;
}

const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
const CURRENCY = String.raw`(?:rs\.?|inr|₹|[a-z]{0,2}[$£€]|usdt?|gbp|aud|cad|eur|rm)`;
const UNIT = String.raw`(?:k(?![\p{L}])|lakhs?|lacs?|lpa|crores?|cr(?![\p{L}])|million|m(?![\p{L}])|bn(?![\p{L}])|thousand|ha?[zj]aa?r|हज़ार|हजार|लाख|करोड़|करोड)`;
const COUNTED = String.raw`(?:rs(?![\p{L}])|rup[\p{L}]{2,4}|रु(?:पये|पए|पया|पयों)?(?![\p{L}])|dollars?|pounds?|euros?|quid|bucks|usdt?|gbp|eth|btc|aed|inr)`;

const COUNT_WORD =
  'एक|दो|तीन|चार|पांच|पाँच|छह|सात|आठ|नौ|दस|ग्यारह|बारह|पंद्रह|पन्द्रह|बीस|पच्चीस|तीस|पैंतीस|चालीस|पचास|साठ|सत्तर|अस्सी|नब्बे|' +
  'ek|do|teen|char|chaar|paanch|panch|saat|aath|nau|das|barah|pandrah|bees|pachees|pachis|tees|chalis|pachas|saath|assi';

const KINDS = [
  ['APK', String.raw`[\p{L}\p{M}\p{N}_-]{1,80}\.apk(?![\p{L}])`],
  ['COIN', String.raw`(?<![\p{L}\p{N}])(?:bc1[a-z0-9]{8,90}|0x[0-9a-f]{20,64})`],
  ['PAYID', String.raw`(?<![\p{L}\p{N}])[a-z0-9][a-z0-9._-]{1,60}@[a-z]{2,20}(?![\p{L}.-])`],
  ['HANDLE', String.raw`(?<![\p{L}\p{N}])@[a-z0-9_]{3,40}`],
  ['TIME', String.raw`\d{1,2}(?:[:.]\d{2}\s?(?:am|pm|baje|बजे)?(?!\d)|\s?(?:am|pm|baje|बजे)(?![\p{L}]))`],
  [
    'MONEY',
    String.raw`(?<![\p{L}])${CURRENCY}\s?${NUMBER}\s?${UNIT}?|${NUMBER}\s?(?:${UNIT}\s?${COUNTED}?|${COUNTED}|[$£€₹])|(?<![\p{L}\p{M}])(?:${COUNT_WORD})\s(?:सौ|हज़ार|हजार|लाख|करोड़|करोड|sau|ha?[zj]aa?r|lakh|lac|crore)(?![\p{L}\p{M}])`,
  ],
  ['PHONE', String.raw`\+?\(?\d[\d()-]*(?:[ -][\d()-]+){0,5}`],
  ['NUM', NUMBER],
  ['WORD', String.raw`[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*`],
  ['STOP', String.raw`[.!?।|]+(?=\s|$)|[\n;]`],
] as const;
const TOKEN = new RegExp(KINDS.map(([name, source]) => `(?<${name}>${source})`).join('|'), 'giu');
const LEAST_PHONE_DIGITS = 9;
const LEAST_NUMBER_DIGITS = 3;

/** Splits a text into tokens. Links and addresses become marks. */
export function textTokens(source: string): Token[] {
  const text = withDigitsForMasks(source);
  const links = find(text).filter(
    ({ type, value }) => (type === 'url' || type === 'email') && !isFile(value),
  );
  const tokens: Token[] = [];
  let from = 0;
  for (const { start, end, type } of links) {
    pushTokens(tokens, text, from, start);
    const isTarget = type === 'url' && text[start - 1] === '<' && text[end] === '>';
    tokens.push({ start, end, plain: type === 'url' ? 'LINK' : 'MAIL', ...(isTarget ? { isTarget } : {}) });
    from = end;
  }
  pushTokens(tokens, text, from, text.length);
  return tokens;
}

const isFile = (value: string) => /^[^/]+\.(?:apk|pdf|docx?|xlsx?|jpe?g|png|exe|zip)$/i.test(value);

function pushTokens(tokens: Token[], text: string, from: number, to: number): void {
  for (const match of text.slice(from, to).matchAll(TOKEN)) {
    const [word] = match;
    const start = from + match.index;
    const plain = groupPlain(match.groups ?? {}, word);
    const isName = isNameLike(word, plain) && tokens.length > 0 && tokens.at(-1)?.plain !== '.';
    tokens.push({ start, end: start + word.length, plain, ...(isName ? { isName } : {}) });
  }
}

/** Words that English also writes with a capital. */
const CAPITALISED = new Set([
  ...ENGLISH_WEEKDAYS,
  ...ENGLISH_MONTHS,
  ...'christmas easter english sorry happy good'.split(' '),
]);

function isNameLike(word: string, plain: string): boolean {
  return /^\p{Lu}\p{Ll}+$/u.test(word) && !CAPITALISED.has(plain);
}

function groupPlain(groups: Record<string, string | undefined>, word: string): string {
  const [kind] = Object.entries(groups).find(([, value]) => value !== undefined) ?? ['WORD'];
  if (kind === 'WORD') return word.toLowerCase().replace(/['’]/g, '');
  if (kind === 'STOP') return '.';
  if (kind !== 'PHONE' && kind !== 'NUM') return kind;
  const digits = word.replace(/\D/g, '').length;
  if (kind === 'PHONE' && digits >= LEAST_PHONE_DIGITS) return 'PHONE';
  return digits >= LEAST_NUMBER_DIGITS ? 'NUM' : 'DIGIT';
}

const LATIN = /^\p{Script=Latin}/u;
const DEVANAGARI = /^\p{Script=Devanagari}/u;

/** Returns a token, or a word of a lexicon, in the form in which constructions of a language are compared. */
export function foldedFor(language: string, word: string): string {
  if (/^[A-Z.]+$/.test(word)) return word;
  if (language === 'hi-Latn' && LATIN.test(word)) return foldLatin(word);
  return DEVANAGARI.test(word) ? foldDevanagari(word) : word;
}

/** Spellings of one sound in Hindi as people type it in Latin letters, applied in this order. */
const SOUNDS: readonly [RegExp, string][] = [
  [/w/g, 'v'],
  [/z/g, 'j'],
  [/ph/g, 'f'],
  [/q/g, 'k'],
  [/ee|ii/g, 'i'],
  [/oo|uu/g, 'u'],
  [/ay|ai|ei/g, 'e'],
  [/au|ou/g, 'o'],
  [/([bcdgjkpst])h/g, '$1'],
  [/y/g, 'i'],
  [/(.)\1+/g, '$1'],
];

/**
 * Returns a word of romanised Hindi in a unified spelling: different spellings of a sound become one, and the
 * inherent vowel is removed. So "karo" and "kro" are equal, and "aapka" and "apka". Different words may
 * become equal.
 */
function foldLatin(word: string): string {
  const sounds = SOUNDS.reduce((text, [from, to]) => text.replace(from, to), word.toLowerCase());
  return sounds.slice(0, 1) + sounds.slice(1).replaceAll('a', '');
}

/**
 * Returns a word in Devanagari without nukta, with one sign for nasals, and with long vowel signs instead of
 * short ones.
 */
function foldDevanagari(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\u093c\u200c\u200d]/g, '')
    .replace(/[ङञणनम]\u094d(?=[क-ह])/g, '\u0902')
    .replaceAll('\u0901', '\u0902')
    .replaceAll('\u0940', '\u093f')
    .replaceAll('\u0942', '\u0941')
    .replaceAll('\u0949', '\u093e')
    .replaceAll('ये', 'ए')
    .replaceAll('यि', 'इ')
    .replaceAll('ई', 'इ')
    .replaceAll('ऊ', 'उ');
}
