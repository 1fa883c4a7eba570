import { CODE_NAMES, NOT_CODES, OWN_CODES } from './secret-words.js';
import type { FoundValue } from './found-value.js';
import { flatMatches, type Steps } from './pieces.js';

/** Letters of scripts with spaces between words. Elsewhere a code stands directly next to a word. */
const LETTER = String.raw`\p{sc=Latin}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Deva}\p{sc=Arab}\p{sc=Hebr}`;
/** A code of 4 to 8 digits, possibly in groups, or of 5 to 8 capitals and digits. */
const CODE = String.raw`(?<code>\d{4,8}(?![${LETTER}\d])|\d{2,4}[ -]\d{2,4}(?:[ -]\d{2})?(?![${LETTER}\d]|[ -]\d)|(?:\d ){3,7}\d(?![${LETTER}\d])|(?=[A-Z\d-]{5,9}(?![${LETTER}\d-]))(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]{2,8}(?:-[A-Z\d]{2,4})?)`;
const BEFORE = String.raw`(?<![${LETTER}\d#$€£₹.,/+-])(?:[A-Z]-)?`;
const OPEN = String.raw`["'“«「【[(<*]{0,2}`;
/** A few words and marks, without a digit, a line end or the end of a sentence. */
const GAP = String.raw`(?:[ ]{0,2}(?:[\p{L}\p{M}'’&-]{1,16}|[:=\-–]|->|→)){0,5}?[ ]{0,3}[:=\-]?[ \n]{0,3}`;
/** Longest distance in characters from the name of a code to its end. */
const REACH = 120;
/**
 * "Your verification code is 482913", "OTP: 482913". "Code" alone also names other numbers, so a word shows whose code
 * it is: "your code is 482913".
 */
const NAME = new RegExp(`${CODE_NAMES}|${OWN_CODES}`, 'giu');
const FOLLOWING = new RegExp(`^${GAP}${OPEN}${BEFORE}${CODE}`, 'iu');
/** "482913 is your Acme verification code". */
const BEFORE_NAME = new RegExp(
  String.raw`${BEFORE}${CODE}["'”»」】\])]{0,2}[ ]{0,2}(?:is|ist|es|est|è|é|to|=|-|:|是|为|が|는)[ ]{0,2}(?:[\p{L}\p{M}'’&]{1,20}[ ]?){0,4}?(?:${CODE_NAMES}|code|c[oó]digo|codice|kod|код)`,
  'giu',
);
/** "code: 482913", "do not share this code with anyone: 482913": of exactly six digits, which other numbers rarely have. */
const SIX = new RegExp(
  String.raw`(?<!(?:${NOT_CODES})[ _-]?)(?<![\p{L}])(?:code|c[oó]digo|codice|kod|kode|код|mã|코드)(?:[ ]with[ ]any(?:one|body))?[ ]?[:=][ ]?${OPEN}(?<code>\d{6})(?![${LETTER}\d]|[.,]\d)`,
  'giu',
);
/** "Use 482913 to sign in". */
const USED = new RegExp(
  String.raw`(?:use|enter|type) ${OPEN}${BEFORE}${CODE}["'”»\])]{0,2} to (?:sign|log|verify|confirm|complete|authenticate|reset|access|continue)`,
  'giu',
);
const NOT_BEFORE = new RegExp(String.raw`(?:${NOT_CODES})[ _-]{0,2}$`, 'iu');

/** Returns one-time codes, each with the placeholder that states its length: `[code:6]`, with letters `[code:6a]`. */
export function* oneTimeCodes(text: string): Steps<FoundValue[]> {
  const found = yield* flatMatches(text, NAME, ({ 0: name }, index) => {
    const after = text.slice(index + name.length, index + name.length + REACH);
    const following = /\d/.test(after) ? FOLLOWING.exec(after) : null;
    if (following === null) return [];
    return codeAt(text, index, index + name.length + codeStart(following), following);
  });
  for (const pattern of [BEFORE_NAME, USED, SIX]) {
    const others = yield* flatMatches(text, pattern, (match, index) =>
      codeAt(text, index, index + match[0].indexOf(match.groups!['code']!), match),
    );
    for (const one of others) found.push(one);
  }
  return found;
}

const codeStart = (match: RegExpExecArray): number => match[0].length - match.groups!['code']!.length;

function codeAt(text: string, start: number, from: number, match: RegExpExecArray): FoundValue[] {
  const code = match.groups!['code']!;
  if (NOT_BEFORE.test(text.slice(Math.max(0, start - 20), start)) || isOther(text, from, code)) return [];
  return [{ from, to: from + code.length, label: 'CODE', plain: codePlaceholder(code) }];
}

/** Returns the placeholder of a code: its length without separators, and whether it has letters. */
export function codePlaceholder(code: string): string {
  const plain = code.replaceAll(/[^\p{L}\d]/gu, '');
  return `[code:${plain.length}${/\p{L}/u.test(plain) ? 'a' : ''}]`;
}

/** Returns whether a text consists of one code: the value of a field that is named for codes. */
export function isOneCode(text: string): boolean {
  return /^\s{0,4}\d(?:[ -]?\d){3,7}\s{0,4}$/.test(text);
}

// A number is an amount, a time or a part of a date, a link or a longer number by what stands next to it.
function isOther(text: string, from: number, code: string): boolean {
  const plain = code.replaceAll(/[ -]/g, '');
  if (plain.length < 4 || plain.length > 8 || /[a-z]/.test(plain)) return true;
  const after = text.slice(from + code.length, from + code.length + 12);
  if (
    /^(?:[-/:.]\d|,\d{3}|[ ]?(?:%|€|\$|£|₹|usd|eur|inr|rs\b|km|kg|mb|gb|ms\b|min\b|sec|hours?|days?|years?|am\b|pm\b))/i.test(
      after,
    )
  )
    return true;
  const before = text.slice(Math.max(0, from - 8), from);
  return (
    /(?:[$€£₹#]|rs\.?|inr|usd|eur)[ ]?$/i.test(before) ||
    (/^(?:19|20)\d\d$/.test(code) && !/[:=][ ]?$|(?:is|ist|es|est)[ ]$/i.test(before))
  );
}
