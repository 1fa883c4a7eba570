import { isHonest, isLink, UNSPACED } from './places.js';
import { flatMatches, type Steps } from './pieces.js';
import type { Range } from './ranges.js';
import { PASSWORD_NAMES, SECRET_NAMES, STATES } from './secret-words.js';

/** Longest distance in characters from the name of a secret to its value. */
const REACH = 60;
/** Most characters of a value after a phrase. */
const MOST = 100;
const NAME = new RegExp(SECRET_NAMES, 'giu');
const IS_PASSWORD = new RegExp(`^(?:${PASSWORD_NAMES})$`, 'iu');
const VALUE = String.raw`(?<value>[^\s"'“”„‘’«»<>(){}[\],;${UNSPACED}]{6,100})`;
const QUOTE = String.raw`["'“„‘«「『\x60]`;
/** "the password for the VPN is hunter2": a few words, a word such as "is", the value. */
const STATED = new RegExp(
  String.raw`^(?:[ ]{1,3}[\p{L}\p{M}'’&-]{1,16}){0,5}?[ ]{0,3}(?:(?<![\p{L}])(?:${STATES})(?![\p{L}])|是|为|為|は|는|은)[ ]{0,3}[:\-]?[ ]{0,3}(?<quote>${QUOTE})?${VALUE}`,
  'iu',
);
/** "password hunter2", "password → hunter2", "password - hunter2", `<password>hunter2</password>`, or on the next line. */
const NEXT = new RegExp(
  String.raw`^(?:[ ]{1,3}|[ ]{0,3}(?:->|[→➜:>-])[ ]{0,3}|(?:[ ][\p{L}\p{M}'’-]{1,16}){0,3}[ ]{0,2}:[ ]{0,3}|[ ]{0,3}:?[ ]{0,3}\n[ ]{0,8})(?<quote>${QUOTE})?${VALUE}`,
  'u',
);
const QUOTED_STATE = new RegExp(
  String.raw`^(?:[ ]{1,3}[\p{L}\p{M}'’-]{1,16}){0,4}?[ ]{1,3}(?:${STATES})[ ]{1,3}(?:["“„«](?<value>[^"“”»\n]{4,60})["”»])`,
  'iu',
);
const WORDS_OF_PHRASE =
  /(?:seed|recovery|secret|backup|mnemonic)[ -](?:phrase|words)[^a-z\n]{0,6}(?:(?:is|are)[^a-z\n]{1,4})?(?<value>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/gi;
const FIELD = /type=["']?password["']?[^<>]{0,100}?value=["'](?<value>[^"'<>]{1,200})["']/gi;
const MYSQL = /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,100}? -p(?<value>[^\s-][^\s]{3,100})/g;

/** Returns secrets that a sentence states: "the password is hunter2". Looks at most 160 characters beyond each name. */
export function* statedSecrets(text: string): Steps<Range[]> {
  const found = yield* flatMatches(text, NAME, ({ 0: name }, index): Range[] => {
    const from = index + name.length;
    const after = text.slice(from, from + REACH + MOST);
    const value = statedValue(after, name);
    return value === null ? [] : [[from + value[0], from + value[1]]];
  });
  for (const form of [WORDS_OF_PHRASE, FIELD, MYSQL])
    for (const range of yield* flatMatches(text, form, (match, index) => [rangeOf(match, index)]))
      found.push(range);
  return found;
}

function statedValue(after: string, name: string): Range | null {
  const isPassword = IS_PASSWORD.test(name);
  const stated = STATED.exec(after);
  if (stated !== null && isSecretValue(stated, name, isPassword ? 'some' : 'drawn')) return bare(stated);
  const quoted = isPassword ? QUOTED_STATE.exec(after) : null;
  if (quoted !== null && !isHonest(quoted.groups!['value']!, name)) return rangeOf(quoted);
  const next = NEXT.exec(after);
  if (next !== null && isSecretValue(next, name, isPassword ? 'strong' : 'drawn')) return bare(next);
  return null;
}

function rangeOf(match: RegExpExecArray, index = match.index): Range {
  const value = match.groups!['value']!;
  const from = index + match[0].lastIndexOf(value);
  return [from, from + value.length];
}

// A full stop after a value ends its sentence.
function bare(match: RegExpExecArray): Range {
  const [from, to] = rangeOf(match);
  const end = /[.?:]{1,3}$/.exec(match.groups!['value']!)?.[0].length ?? 0;
  return [from, to - end];
}

/**
 * Returns whether a word may be a secret. `some`: after "is", a digit or a symbol is enough. `strong`: directly after
 * the name, letters and digits are needed. `drawn`: of a token, 12 characters with letters and digits.
 */
function isSecretValue(match: RegExpExecArray, name: string, need: 'some' | 'strong' | 'drawn'): boolean {
  const value = match.groups!['value']!.replace(/[.!?:]{1,3}$/, '');
  if (value.length < 6 || isHonest(value, name) || isLink(value) || ORDINARY.test(value)) return false;
  const [hasDigit, hasLetter] = [/\d/.test(value), /\p{L}/u.test(value)];
  if (need === 'some') return hasLetter && (hasDigit || /[^\p{L}\p{M}\d.,'’-]/u.test(value));
  if (need === 'strong') return hasLetter && hasDigit && !/^[a-z]+[-_]?\d{1,2}$/.test(value);
  return hasLetter && hasDigit && value.length >= 12;
}

/** Words with digits that are no secrets: times, amounts, versions, names of files and hosts, masked values. */
const ORDINARY =
  /^(?:v?\d+(?:[.,:]\d+)*(?:[a-z]{1,7}|%)?|\d+-?(?:hours?|days?|minutes?|min|characters?|digits?|st|nd|rd|th|stellig\w*|-?Zeichen)|[\w-]+\.(?:txt|pdf|html?|docx?|xlsx?|zip|json|ya?ml|log|conf|env)|[^@]{1,80}@[^@]{1,80}\.[^@]{1,30})$/i;
