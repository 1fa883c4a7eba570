import { type FoundValue, flatMatches, type Steps, MASK, mergedRanges, type Range } from './pieces.js';
import type { NormalView } from './normal-view.js';
import {
  statedSecrets,
  isSecretName,
  namedValues,
  privateKeys,
  secretForms,
  CODE_NAMES,
  NOT_CODES,
  OWN_CODES,
} from './places.js';

/**
 * Returns the secrets and one-time codes in a text in their order, without overlaps; `plain` is what replaces each. Rules
 * read the text as written, because a link is cut at its own `&`, and its view, so that another spelling hides nothing.
 * @param known ranges of keys that the rule set of providers found.
 */
export function* findSecrets(text: string, view: NormalView, known: readonly Range[]): Steps<FoundValue[]> {
  if (text.length < SHORTEST) return [];
  const ranges = [
    ...known,
    ...(yield* secretRanges(text)),
    ...placed(view, view.isSame ? [] : yield* secretRanges(view.text)),
    ...placed(view, yield* statedSecrets(view.text)),
  ];
  const secrets = mergedRanges(ranges.filter(([from, to]) => to > from));
  const masked = secrets.map(([from, to]): FoundValue => ({ from, to, label: 'SECRET', plain: MASK }));
  const codes = (yield* oneTimeCodes(view.text)).map((code) => {
    const [from, to] = view.place(code.from, code.to);
    return { ...code, from, to };
  });
  return withoutOverlaps([...masked, ...codes]);
}

/** Shortest text with a finding: a code of four digits after a name of one character. */
const SHORTEST = 5;

const placed = (view: NormalView, ranges: readonly Range[]): Range[] =>
  ranges.map(([from, to]) => view.place(from, to));

function* secretRanges(text: string): Steps<Range[]> {
  if (text.length < 8) return [];
  return [
    ...(yield* namedValues(text)),
    ...(yield* secretForms(text)),
    ...(yield* privateKeys(text)),
    ...(yield* secretManifests(text)),
    ...(yield* secretObjects(text)),
    ...(yield* variables(text)),
  ];
}

function variables(text: string): Steps<Range[]> {
  return flatMatches(text, NAMED_VALUE, ([all, name = '', value = ''], index) => {
    if (!isSecretName(name)) return [];
    const from = index + all.length - value.length;
    return [[from, from + value.length] as const];
  });
}

/** Of overlapping values the one that begins first is kept, of those the longest. */
function withoutOverlaps(found: readonly FoundValue[]): FoundValue[] {
  const kept: FoundValue[] = [];
  for (const one of [...found].sort((a, b) => a.from - b.from || b.to - a.to))
    if (one.from >= (kept.at(-1)?.to ?? 0)) kept.push(one);
  return kept;
}

const KIND = /^[ \t-]*kind:\s*["']?Secret["']?\s*$/;
const SECTION = /^([ \t-]*)(?:data|stringData):\s*$/;
const KEY = /^["']?[\w.-]{1,253}["']?:/;
const BLOCK = /^[|>][-+]?$/;

/**
 * Returns the values of Kubernetes Secrets written as YAML: everything below `data` and `stringData` in a
 * document of that kind.
 */
function* secretManifests(text: string): Steps<Range[]> {
  if (!text.includes('Secret')) return [];
  const found: Range[] = [];
  for (const { lines, isSecret } of yield* textDocuments(text))
    if (isSecret) for (const range of yield* lineValues(lines)) found.push(range);
  return found;
}

interface Line {
  line: string;
  at: number;
}

interface TextDocument {
  lines: Line[];
  isSecret: boolean;
}

/** Lines that are read between two steps. */
const LINES = 1_000;

// A list of objects is one document. The sections of all its objects are then masked, whatever their kinds.
function* textDocuments(text: string): Steps<TextDocument[]> {
  const documents: TextDocument[] = [{ lines: [], isSecret: false }];
  let at = 0;
  for (const [i, line] of text.split('\n').entries()) {
    if (/^---\s*$/.test(line)) documents.push({ lines: [], isSecret: false });
    else documents.at(-1)!.lines.push({ line, at });
    if (KIND.test(line)) documents.at(-1)!.isSecret = true;
    at += line.length + 1;
    if (i % LINES === 0) yield;
  }
  return documents;
}

function* lineValues(lines: readonly Line[]): Steps<Range[]> {
  const found: Range[] = [];
  let below: number | null = null;
  for (const [i, { line, at }] of lines.entries()) {
    if (i % LINES === 0) yield;
    const section = SECTION.exec(line);
    if (section !== null) {
      below = section[1]!.length;
      continue;
    }
    if (below === null || line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    if (indent <= below) {
      below = null;
      continue;
    }
    const key = KEY.exec(line.slice(indent))?.[0].length ?? 0;
    const value = line.slice(indent + key).trim();
    if (value === '' || BLOCK.test(value)) continue;
    const from = at + line.indexOf(value, indent + key);
    found.push([from, from + value.length]);
  }
  return found;
}

const AS_JSON = /\\{0,4}"kind\\{0,4}"\s{0,8}:\s{0,8}\\{0,4}"Secret\\{0,4}"/;
const JSON_SECTION = /"(?:data|stringData)\\{0,4}"\s{0,8}:\s{0,8}\{([^{}]{0,100000})\}/g;
/** Longest match of a section in characters. */
const LONGEST_SECTION = 101_000;
const JSON_VALUE = /:\s{0,8}\\{0,4}"([^"\\]{1,50000})/g;

/** Returns the values of Kubernetes Secrets written as JSON within other text. */
function* secretObjects(text: string): Steps<Range[]> {
  if (!AS_JSON.test(text)) return [];
  const valuesOf = ([all, section = '']: RegExpExecArray, index: number) => {
    const from = index + all.lastIndexOf(section);
    return [...section.matchAll(JSON_VALUE)].map((value): Range => {
      const at = from + value.index + value[0].length - value[1]!.length;
      return [at, at + value[1]!.length];
    });
  };
  return yield* flatMatches(text, JSON_SECTION, valuesOf, { reach: LONGEST_SECTION });
}

/** A container's variable as YAML. Its name shows that the value on the next line is a secret. */
const NAMED_VALUE =
  /\bname:[ \t]{0,8}["']?([\w.-]{1,100})["']?[ \t]{0,8}\r?\n[ \t]{0,80}value:[ \t]{0,8}["']?([^\n"']{1,4000})/g;

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
function* oneTimeCodes(text: string): Steps<FoundValue[]> {
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
