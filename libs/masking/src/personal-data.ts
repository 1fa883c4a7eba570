import { isIPv4, isIPv6 } from 'node:net';
import type { Masking, PersonalData } from '@casefile/contracts';
import { RE2JS } from 're2js';
import {
  ibanLength,
  isAadhaar,
  isChineseId,
  isCodiceFiscale,
  isCpf,
  isIban,
  isLuhn,
  isNir,
  isSpanishId,
  findPhones,
} from './personal-numbers.js';
import { type FoundValue, flatMatches, inTurns, type Steps } from './pieces.js';
import { normalView } from './normal-view.js';

type Find = (text: string) => Steps<FoundValue[]>;

/**
 * Returns the personal data in a text in their order, without overlaps. Takes time in proportion to the length. Values are
 * found in the view of the text. A value ends at a quote and at an escape that stands for no character, so that it is
 * the same in a text and in the JSON of the text. Of values with the same beginning, patterns of the configuration come
 * before classes, and classes with check digits before the others.
 * @param phoneEndings last digits of known phone numbers, which are found in any spelling.
 */
export function findPersonalData(
  text: string,
  masking: Masking,
  phoneEndings: ReadonlySet<string> = new Set(),
): Promise<FoundValue[]> {
  return inTurns(personalDataIn(text, masking, phoneEndings));
}

function* personalDataIn(
  text: string,
  { personalData, patterns }: Masking,
  phoneEndings: ReadonlySet<string>,
): Steps<FoundValue[]> {
  const view = yield* normalView(text);
  const found: FoundValue[] = [];
  for (const { name, pattern } of patterns)
    for (const value of yield* findPattern(text, name, pattern)) found.push(value);
  const add = (values: readonly FoundValue[]) => {
    for (const value of values) {
      const [from, to] = view.place(value.from, value.to);
      found.push({ ...value, from, to });
    }
  };
  if (!view.isSame)
    for (const { name, pattern } of patterns) add(yield* findPattern(view.text, name, pattern));
  for (const name of ORDER)
    if (personalData.includes(name))
      add(name === 'phone' ? yield* findPhones(view.text, phoneEndings) : yield* FINDERS[name](view.text));
  return withoutOverlaps(text, found);
}

/**
 * Of overlapping values the one that begins first is kept, with the same beginning the first in `found`. What
 * the other has after it is a value of its own, so that no part of a value stays.
 */
function withoutOverlaps(text: string, found: readonly FoundValue[]): FoundValue[] {
  const kept: FoundValue[] = [];
  let done = 0;
  for (const one of [...found].sort((a, b) => a.from - b.from)) {
    if (one.from >= done) kept.push(one);
    else if (one.to > done) {
      const rest = text.slice(done, one.to);
      if (/[\p{L}\p{N}]/u.test(rest)) kept.push({ ...one, from: done, plain: rest });
    }
    done = Math.max(done, one.to);
  }
  return kept;
}

/** Replaces escapes of JSON, quotes and line breaks by NUL, so that the text keeps its length. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(?:u[0-9a-fA-F]{4}|[^]|$)|["\r\n]/g, (one) => '\0'.repeat(one.length));
}

function* findPattern(text: string, name: string, pattern: string): Steps<FoundValue[]> {
  const searched = withoutEscapes(text);
  const matcher = compilePattern(pattern).matcher(searched);
  const found: FoundValue[] = [];
  while (matcher.find()) {
    for (const part of searched.slice(matcher.start(), matcher.end()).matchAll(/[^\0]+/g)) {
      const from = matcher.start() + part.index;
      found.push({ from, to: from + part[0].length, label: name.toUpperCase(), plain: part[0] });
    }
    yield;
  }
  return found;
}

/** Classes with check digits first, because their numbers may look like phone numbers. */
const ORDER: readonly PersonalData[] = ['iban', 'card', 'national-id', 'email', 'ip', 'phone'];

const FINDERS: Record<Exclude<PersonalData, 'phone'>, Find> = {
  email: findEmails,
  iban: findIbans,
  card: findCards,
  ip: findAddresses,
  'national-id': findNationalIds,
};

/** Letters of scripts with spaces between words. Elsewhere the words before and after would be part of it. */
const LETTER = String.raw`\p{sc=Latin}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Deva}\p{sc=Arab}\p{sc=Hebr}`;
const HOST = String.raw`(?:[${LETTER}\p{N}-]{1,63}\.){1,8}[${LETTER}]{2,24}`;
const EMAIL = new RegExp(String.raw`[${LETTER}\p{N}._%+-]{1,64}(?:@| @ )${HOST}`, 'gu');
/** "jane at mail dot example". */
const SPOKEN = new RegExp(
  String.raw`(?<![${LETTER}\p{N}])[${LETTER}\p{N}._+-]{1,64} (?:at|ät|arroba|chiocciola) (?:[${LETTER}\p{N}-]{1,63} (?:dot|punkt|punto|ponto|point) ){1,4}[${LETTER}]{2,24}(?![${LETTER}\p{N}])`,
  'giu',
);

function* findEmails(text: string): Steps<FoundValue[]> {
  const plain = (found: string) => found.replaceAll(' ', '').toLowerCase();
  const found = [
    ...(yield* all(text, EMAIL, 'EMAIL', plain)),
    ...(yield* all(text, SPOKEN, 'EMAIL', spokenAddress)),
  ];
  return found.filter(
    // In https://bank.example@evil.example the text before the @ is a disguise, not an address.
    ({ from }) => text.slice(Math.max(0, from - 3), from) !== '://',
  );
}

function spokenAddress(found: string): string {
  const [name = '', , ...host] = found.toLowerCase().split(' ');
  return `${name}@${host.filter((_, i) => i % 2 === 0).join('.')}`;
}

const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}\d\d/giu;

function findIbans(text: string): Steps<FoundValue[]> {
  return flatMatches(text, IBAN_START, ([start], from) => {
    const length = ibanLength(start.slice(0, 2));
    if (length === undefined) return [];
    const written = charactersAt(text, from, length);
    if (written === null || !isIban(written.plain)) return [];
    return [{ from, to: written.to, label: 'IBAN', plain: written.plain.toUpperCase() }];
  });
}

/** Reads so many letters and digits, with at most two separators between them, also over a line end. */
function charactersAt(text: string, from: number, length: number): { plain: string; to: number } | null {
  let plain = '';
  let to = from;
  let separators = 0;
  for (; plain.length < length; to += 1) {
    const character = text[to] ?? '';
    if (/[A-Za-z0-9]/.test(character)) {
      plain += character;
      separators = 0;
    } else if (/[ \n._-]/.test(character) && separators < 2) separators += 1;
    else return null;
  }
  return /[A-Za-z0-9]/.test(text[to] ?? '') ? null : { plain, to };
}

/** Digits in groups, also over line ends. */
const GROUPS = /(?<![\p{L}\d+])\d+(?:(?:[ ._/-]{1,2}|[ ]?\n[ ]?)\d+)*(?![\p{L}\d])/gu;
/** Fewest and most digits of a card number (ISO 7812). */
const CARD = [13, 19] as const;

function findCards(text: string): Steps<FoundValue[]> {
  return numbersIn(text, [{ size: CARD, isValid: isCard, label: 'CARD' }]);
}

const isCard = (digits: string): boolean => /^[2-6]/.test(digits) && isLuhn(digits);

/** A number of digits in groups. */
interface NumberForm {
  /** Fewest and most digits. */
  size: readonly [number, number];
  isValid(digits: string): boolean;
  label: string;
}

/** Returns the numbers of each form in a text, form by form in each run of digits. */
function* numbersIn(text: string, forms: readonly NumberForm[]): Steps<FoundValue[]> {
  const found: FoundValue[] = [];
  const runs = yield* flatMatches(text, GROUPS, ([run], index) => [{ run, index }]);
  for (const { run, index } of runs)
    for (const form of forms) for (const one of yield* digitsIn(run, index, form)) found.push(one);
  return found;
}

/**
 * Returns sequences of whole groups of a run that have so many digits and are valid. Their separators are equal, except
 * for one line end in a sequence of groups of four.
 */
function* digitsIn(
  run: string,
  index: number,
  { size: [fewest, most], isValid, label }: NumberForm,
): Steps<FoundValue[]> {
  const groups = yield* flatMatches(run, /\d+/g, ([group], at) => [{ group, at }]);
  const found: FoundValue[] = [];
  for (let i = 0; i < groups.length; i += 1) {
    if (i % STARTS === STARTS - 1) yield;
    let digits = '';
    for (let j = i; j < groups.length && digits.length < most; j += 1) {
      if (groups[j]!.group.length > most) break;
      digits += groups[j]!.group;
      if (digits.length < fewest || digits.length > most || !isValid(digits)) continue;
      const [start, end] = [groups[i]!.at, groups[j]!.at + groups[j]!.group.length];
      if (!isOneNumber(run.slice(start, end))) continue;
      found.push({ from: index + start, to: index + end, label, plain: digits });
      i = j;
      break;
    }
  }
  return found;
}

/** Groups of digits from which a number is read between two steps. */
const STARTS = 200;

function isOneNumber(written: string): boolean {
  const separators = written.match(/\D+/g) ?? [];
  const lineEnds = separators.filter((one) => one.includes('\n')).length;
  const others = new Set(separators.filter((one) => !one.includes('\n')));
  if (lineEnds > 0) return lineEnds === 1 && others.size === 1 && /^\d{4}(?:\D+\d{4})+$/.test(written);
  return others.size <= 1 || CPF.test(written);
}
const CPF = /^\d{3}\.\d{3}\.\d{3}-\d\d$/;

const V4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g;
/** Possibly with an IPv4 address at its end. */
const V4_SPACED = /(?<![\w.])\d{1,3}(?: \. \d{1,3}){3}(?![\w]|\.\d)/g;
const V6 = /(?<![\w:.])[0-9a-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?(?![\w:]|\.\d)/gi;

function* findAddresses(text: string): Steps<FoundValue[]> {
  const isAddress = ({ plain }: FoundValue) => plain.includes(':') && /\d/.test(plain) && isIPv6(plain);
  const found = (yield* all(text, V6, 'IP', (written) => written.toLowerCase())).filter(isAddress);
  for (const pattern of [V4, V4_SPACED]) {
    const dotted = yield* all(text, pattern, 'IP', (written) => written.replaceAll(' ', ''));
    for (const one of dotted) if (isIPv4(one.plain)) found.push(one);
  }
  return found;
}

/** Identity numbers that contain letters or dots, each with its check. */
const WITH_LETTERS: readonly [RegExp, (plain: string) => boolean][] = [
  [/(?<![\w.-])\d{17}X(?!\w)/gi, isChineseId],
  [/(?<![\w.-])(?:\d{2}\.?\d{3}\.?\d{3}|[XYZ]-?\d{7})-?[A-Z](?![\w-])/gi, isSpanishId],
  [
    /(?<!\w)[A-Z]{3} ?[A-Z]{3} ?[0-9LMNPQRSTUV]{2}[A-EHLMPRST][0-9LMNPQRSTUV]{2} ?[A-Z][0-9LMNPQRSTUV]{3}[A-Z](?!\w)/gi,
    isCodiceFiscale,
  ],
  [/(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d\d(?![\w-])/g, isCpf],
  [/(?<![\w-])[12] ?\d\d ?\d\d ?(?:2[AB]|\d\d) ?\d{3} ?\d{3} ?\d\d(?![\w-])/gi, isNir],
];

const ID = 'ID';
const ID_NUMBERS: readonly NumberForm[] = [
  {
    size: [18, 18],
    isValid: (digits) => /^[1-9]\d{5}(?:19|20)/.test(digits) && isChineseId(digits),
    label: ID,
  },
  { size: [12, 12], isValid: (digits) => /^[2-9]/.test(digits) && isAadhaar(digits), label: ID },
  { size: [11, 11], isValid: isCpf, label: ID },
];

function* findNationalIds(text: string): Steps<FoundValue[]> {
  const found: FoundValue[] = [];
  for (const [pattern, isValid] of WITH_LETTERS) {
    const written = yield* all(text, pattern, ID, (one) => one.replaceAll(/[ .-]/g, '').toUpperCase());
    for (const one of written) if (isValid(one.plain)) found.push(one);
  }
  return [...found, ...(yield* numbersIn(text, ID_NUMBERS))];
}

function all(
  text: string,
  pattern: RegExp,
  label: string,
  plainOf: (found: string) => string,
): Steps<FoundValue[]> {
  return flatMatches(text, pattern, ([found], from) => [
    { from, to: from + found.length, label, plain: plainOf(found) },
  ]);
}

/** Largest sum of the compiled sizes of a kind's patterns. The time of a search grows with it. */
export const MOST_PATTERN_SIZE = 2_000;

const compiled = new Map<string, RE2JS>();
const MOST_COMPILED = 1_000;

/** Returns a pattern in RE2 syntax, which takes linear time on every text. @throws Error with the reason. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** Returns the compiled size of a pattern, or the reason why it cannot be used. */
export function checkPattern(pattern: string): { size: number } | { problem: string } {
  try {
    const made = compilePattern(pattern);
    if (made.matcher('').find()) return { problem: 'expected a pattern that does not match an empty text' };
    return { size: made.programSize() };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    return { problem: `expected a pattern in RE2 syntax: ${why}` };
  }
}
