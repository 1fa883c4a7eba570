import data from './words/secret-words.json' with { type: 'json' };
import { eachMatch, flatMatches, type Steps, type Range } from './pieces.js';

/** Names of secrets and words around them, by language, as sources of regular expressions. */
const { passwords, keys, states, codes, ownCodes, notCodes } = data;

const all = (byLanguage: Readonly<Record<string, readonly string[]>>): string[] => [
  ...new Set(Object.values(byLanguage).flat()),
];

/** Returns an alternative of words. A short word of letters counts only if it stands alone. */
function anyOf(words: readonly string[]): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) =>
      /^[a-zç]{1,6}$/i.test(word) ? String.raw`(?<![\p{L}\p{N}])${word}(?![\p{L}\p{N}])` : word,
    )
    .join('|');
}

const PASSWORD_NAMES = anyOf(all(passwords));
const SECRET_NAMES = anyOf([...all(passwords), ...all(keys)]);
const STATES = states
  .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  .sort((a, b) => b.length - a.length)
  .join('|');
export const CODE_NAMES = anyOf(all(codes));
/** Names of a code that are used for other numbers too, with a word that shows whose code it is. */
export const OWN_CODES = anyOf(ownCodes);
/** Words before "code" that show that no secret follows. */
export const NOT_CODES = notCodes.join('|');

const CODE_NAME = new RegExp(`(?:${CODE_NAMES})$`, 'iu');

/** Returns whether the name of a field shows that its value is a one-time code. */
export function isCodeName(name: string): boolean {
  return CODE_NAME.test(name.slice(-100).replaceAll(/[_-]/g, ' '));
}

/**
 * Words that mark a name as that of a secret. Cursors of pages (`page_token`) and token counts of models are
 * not secrets.
 */
const SECRET_WORD = new RegExp(SECRET_NAMES, 'giu');
const NO_SECRET =
  /(?:tokens|(?:page|next|continuation|sync|cursor|resume)[_-]?token|token[_-]?(?:count|type|limit|usage|expir\w*|id|url|endpoint|name)|secret[_-]?(?:name|ref|key[_-]?ref|version|type)|(?:pass(?:word)?|passwd)[_-]?(?:policy|length|reset|changed|file)|access[_-]?key[_-]?id|credential[_-]?(?:type|source|id))$/i;

/** Returns whether a name shows that its value is a secret. */
export function isSecretName(name: string): boolean {
  const plain = name.slice(-100);
  if (NO_SECRET.test(plain)) return false;
  SECRET_WORD.lastIndex = 0;
  return SECRET_WORD.test(`${plain}=`);
}

const NAME_BEFORE = /[\w.-]{0,80}$/;
const NAME_AFTER = /[\w.-]{0,80}/y;
/** An optional closing quote, then `=`, `:` or `=>`, as in shell, YAML, JSON, INI and log lines. */
const SEPARATOR = /\\{0,4}["']?[ \t]{0,8}(=>|=|:)[ \t]{0,8}/y;
const QUOTED = /(\\{0,4}["'])((?:(?!\1)[^\n]){1,4000})/y;
/**
 * A value ends at a letter of a script whose words are written together (Thai to Khmer, Chinese, Japanese,
 * Korean) and at full-width punctuation, because the sentence continues there.
 */
const UNSPACED = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef`;
const BARE = new RegExp(String.raw`[^\s"'\`,;&|<>{}()[\]${UNSPACED}]{1,4000}`, 'y');
const NOTHING =
  /^(?:true|false|null|none|nil|undefined|yes|no|\d{1,5}|\$\{?\w.*|%\w.*|\*+|x+|<.*|\[masked\]|\[?redacted\]?|(?:in)?valid|expired|missing|required|empty|unset|incorrect|wrong|failed|ok|error|denied|not|is|was|has|for|from|of|and|or|the|too|unknown|rotated|refreshed)[.,:]?$/i;
/**
 * Names of Kubernetes objects consist of words and hyphens. A secret has capitals, or digits among its
 * letters.
 */
const OBJECT_NAME = /^[a-z]+(?:[-./][a-z0-9]+)*$/;
/**
 * A link, or the public address of a wallet: "Reset your password: https://...". A message is judged by its
 * link. Secrets within the link are found by their form.
 */
const LINK =
  /^(?:h(?:tt|xx)ps?:\/\/|www\.|(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}\/|0x[0-9a-f]{40}$)[^\s]{0,4000}$/i;

/**
 * Returns values after a name that shows that they are secrets: `DB_PASSWORD=`, `"token": "..."`, `password:
 * ...`.
 */
export function namedValues(text: string): Steps<Range[]> {
  return flatMatches(text, SECRET_WORD, ([word], index) => {
    const before = NAME_BEFORE.exec(text.slice(Math.max(0, index - 80), index))![0];
    const end = word.length + (after(NAME_AFTER, text, index + word.length)?.[0].length ?? 0);
    const name = before + text.slice(index, index + end);
    if (NO_SECRET.test(name)) return [];
    const separator = after(SEPARATOR, text, index + end);
    if (separator === null) return [];
    const range = valueAt(text, index + end + separator[0].length, name, separator);
    return range === null ? [] : [range];
  });
}

function valueAt(text: string, at: number, name: string, separator: RegExpExecArray): Range | null {
  const quoted = after(QUOTED, text, at);
  if (quoted !== null) {
    const [, quote = '', value = ''] = quoted;
    const from = at + quote.length;
    return isHonest(value, name) ? null : [from, from + value.length];
  }
  const [value] = after(BARE, text, at) ?? [''];
  if (value === '' || isHonest(value, name)) return null;
  // After a colon and a space, prose continues on the line. A YAML value takes the whole line.
  const prose =
    separator[1] === ':' && separator[0].endsWith(' ') && !isLine(text, at, value) && !looksDrawn(value);
  return prose ? null : [at, at + value.length];
}

/** Returns whether a value under a secret name is no secret: a state, a number, a link, the name of an object. */
export function isHonest(value: string, name: string): boolean {
  if (NOTHING.test(value) || isLink(value) || IS_CODE.test(value)) return true;
  return /(?:^|[^a-z])secrets?$/i.test(name) && OBJECT_NAME.test(value);
}

/** Returns whether a value is a link or the public address of a wallet. */
const isLink = (value: string): boolean => LINK.test(value);

/** Placeholder of a one-time code. */
const IS_CODE = /^\[code:\d{1,2}a?\]/;

// Returns whether a value's line has only the name before the value, and nothing after it.
function isLine(text: string, at: number, value: string): boolean {
  const near = text.slice(Math.max(0, at - 200), at);
  const before = near.slice(near.lastIndexOf('\n') + 1);
  if (before.length === 200) return false;
  const ends = /^[ \t\r]{0,20}(?:$|\n|#)/.test(text.slice(at + value.length, at + value.length + 30));
  return ends && /^[\s"'-]*\w[\w.-]*["']?\s*:\s*$/.test(before);
}

/** Returns whether a word looks random: letters and digits mixed, six characters or more. */
function looksDrawn(value: string): boolean {
  return value.length >= 6 && /[a-z]/i.test(value) && /\d/.test(value);
}

function after(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Patterns of secrets by their form. The first group of each is masked, or the whole match if there is no
 * group.
 */
const FORMS: readonly RegExp[] = [
  // A JSON Web Token, complete or truncated. Its head suffices to recognise it.
  /\beyJ[\w-]{17,4000}(?:\.[\w-]{0,8000}){0,4}/g,
  /\b(?:x-[\w-]{0,40}(?:key|token|auth|secret)|proxy-authorization)\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?([^\n"'\\]{6,4000})/gi,
  /\b(?:set-)?cookie\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?([\w!#$%&*.^`|~+-]{1,100}=[^\n"'\\]{1,4000})/gi,
  // Credentials in a URL. A port is no password: the host before it is what the link leads to.
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'<>]{0,200}:(?!\d{1,5}[^\w.~%!$&*+=@-])([^\s@"'<>]{1,400})@/gi,
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/([\w-]{20,400})@/gi,
  // The value ends with the link: text may follow without a space, in brackets, or after a full stop.
  /[?&#](?:(?:access_?|id_?|refresh_?|auth_?|session_?|csrf_?|reset_?)?token|api_?key|sig|signature|x-amz-signature|x-amz-security-token|code|client_secret|secret|passw(?:or)?d|pwd|jwt|session(?:_?id)?|sid|auth|key)=([\w.~%+/=:!*$@,;-]{7,4000}[\w~%+/=*$@-])/gi,
  // Arguments of commands.
  /(?:^|\s)(?:-u|--user|--proxy-user)[= ]["']?[^\s:"']{1,100}:([^\s"']{1,400})/g,
  /\s--?(?:[\w-]{0,40}(?:password|passwd|token|secret|api-key|access-key))[= ]["']?([^\s"'-][^\s"']{0,400})/gi,
  // Keys of providers, also if a log truncated them after a few characters.
  /\b(?:gh[pousr]_|github_pat_|glpat-|gldt-|xox[abeoprs]-|xapp-|sk-ant-|sk-proj-|sk_live_|sk_test_|rk_live_|whsec_|npm_|hf_|dop_v1_|shpat_|pypi-|AGE-SECRET-KEY-1|hvs\.|hvb\.|ya29\.|dckr_pat_|sntrys_|lin_api_|figd_|nvapi-|gsk_)[\w.=-]{10,4000}/g,
  // Not a host such as sk-account-service.example: a key has capitals, or digits and no hyphens.
  /\bsk-(?=[\w-]{0,400}[A-Z]|(?=[a-z_]{0,400}\d)[a-z0-9_]{20})[A-Za-z0-9_-]{20,400}/g,
  /\b(?:xai-[A-Za-z0-9]{16,400}|SG\.[\w-]{16,100}(?:\.[\w-]{0,400})?)/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{12,16}\b/g,
  /\bAIza[\w-]{25,60}/g,
  // Password hashes.
  /\$(?:2[abxy]\$\d\d|[156]|y|argon2[id]{1,2})\$[\w./$=,+-]{20,300}/g,
];

/**
 * Patterns of `Authorization` headers, as written in HTTP, curl and JSON. Groups: scheme, value. Prose has the
 * same words: "authorization: the manager", "basic responsibilities".
 */
const AUTHORIZATIONS: readonly RegExp[] = [
  /\bauthorization\\{0,4}["']?\s{0,4}[:=]\s{0,4}\\{0,4}["']?(?:(basic|bearer|token|digest|negotiate|aws4-hmac-sha256|apikey)\s{1,4})?([^\s"'\\]{6,4000})/gi,
  /\b(?:bearer|basic)()\s{1,4}([\w~+/.=-]{16,4000})/gi,
];
const PLAIN_WORD = /^(?:[A-Z]?[a-z]+(?:[-./][A-Z]?[a-z]+){0,9}|[A-Z]+)[.,;:!?)]{0,2}$/;

/** Longest match of a form in characters: a JSON Web Token of five parts. */
const LONGEST_FORM = 40_000;

/** Returns secrets that are recognised by their form. */
export function* secretForms(text: string): Steps<Range[]> {
  const found: Range[] = [];
  for (const form of FORMS)
    yield* eachMatch(
      text,
      form,
      ([all, part], index) => {
        const from = part === undefined ? index : index + all.lastIndexOf(part);
        found.push([from, from + (part ?? all).length]);
      },
      { reach: LONGEST_FORM },
    );
  for (const form of AUTHORIZATIONS)
    yield* eachMatch(text, form, ([all, scheme = '', value = ''], index) => {
      if (NOTHING.test(value) || (scheme === '' && PLAIN_WORD.test(value))) return;
      const end = index + all.length;
      found.push([end - value.length, end]);
    });
  return found;
}

const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const MOST_KEY = 20_000;
/** Possible body of a key: lines of base64, with line ends also written as `\n`. */
const KEY_BODY = /[A-Za-z0-9+/=\s\\]{0,20000}/y;
const KEY_LINE = /[A-Za-z0-9+/=]{16,}/g;

/** Returns private keys in PEM, complete or truncated at either end. */
export function* privateKeys(text: string): Steps<Range[]> {
  const rangeOf = ([all]: RegExpExecArray, index: number): Range[] => [[index, index + all.length]];
  const begins = yield* flatMatches(text, KEY_BEGINS, rangeOf);
  const ends = yield* flatMatches(text, KEY_ENDS, rangeOf);
  const found: Range[] = [];
  /** Positions of END lines that have a BEGIN line. */
  const wholes = new Set<number>();
  let next = 0;
  for (const [i, [from, bodyFrom]] of begins.entries()) {
    while (next < ends.length && ends[next]![0] < bodyFrom) next += 1;
    const end = ends[next];
    const whole = end !== undefined && end[1] - from <= MOST_KEY && end[0] < (begins[i + 1]?.[0] ?? Infinity);
    const to = whole ? end[1] : bodyFrom + bodyLength(after(KEY_BODY, text, bodyFrom)?.[0] ?? '');
    if (whole) wholes.add(end[0]);
    found.push([from, to]);
    yield;
  }
  for (const [from, to] of ends) {
    if (!wholes.has(from)) found.push([bodyStart(text, from), to]);
    yield;
  }
  return found;
}

// Returns the length of a key whose end was cut off: up to its last full line and one shorter line after it.
function bodyLength(run: string): number {
  const last = [...run.matchAll(KEY_LINE)].at(-1);
  if (last === undefined) return 0;
  const end = last.index + last[0].length;
  return (
    end +
    (/^(?:\s|\\{1,4}[nr]){0,40}[A-Za-z0-9+/]{1,64}={1,2}/.exec(run.slice(end, end + 120))?.[0].length ?? 0)
  );
}

// Returns the start of a key whose beginning was cut off: the start of the base64 before its END line.
function bodyStart(text: string, end: number): number {
  let at = end;
  const least = Math.max(0, end - MOST_KEY);
  while (at > least && /[A-Za-z0-9+/=\s\\]/.test(text[at - 1]!)) at -= 1;
  const run = text.slice(at, end);
  // Words before the first line of the key are not part of the key.
  const first = /[A-Za-z0-9+/=]{16,}/.exec(run);
  return first === null ? end : at + first.index;
}

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
