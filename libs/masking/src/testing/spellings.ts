import { readFileSync } from 'node:fs';
import { PERSONAL_DATA, type Masking } from '@casefile/contracts';
import { maskSecrets, Pseudonyms } from '../index.js';

/** A value in a text. */
export interface Spelling {
  kind: string;
  text: string;
  value: string;
}

const ALL: Masking = { rules: 1, personalData: [...PERSONAL_DATA], patterns: [] };
const CASE = '5e5f0f5c-0000-4000-8000-000000000001';

/** Returns the spellings of `spellings-apart.txt`, one per line. Their author did not know the rules. */
export function spellingsApart(): Spelling[] {
  const lines = readFileSync(new URL('./spellings-apart.txt', import.meta.url), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [kind = '', marked = ''] = line.replaceAll(String.raw`\n`, '\n').split('\t');
      return marked.length === 0 ? { kind, text: '', value: '' } : spelling(kind, marked);
    });
}

/** Returns a spelling from a text with the value between « and ». */
function spelling(kind: string, marked: string): Spelling {
  const value = /«([^»]*)»/.exec(marked)?.[1] ?? '';
  return { kind, text: marked.replace(`«${value}»`, () => value), value };
}

/** Values of each class, and a text with `%s` for the value. */
const VALUES: readonly [kind: string, frame: string, values: readonly string[]][] = [
  ['phone', 'Call %s today', ['+49 170 1234567', '+1 202-555-0143', '+91 98765 43210', '+44 1632 960123']],
  ['iban', 'Pay to %s', ['DE89 3704 0044 0532 0130 00', 'GB29 NWBK 6016 1331 9268 19']],
  ['card', 'Card %s', ['4111 1111 1111 1111', '5500-0000-0000-0004']],
  ['ip', 'from %s', ['203.0.113.9', '198.51.100.24']],
  ['email', 'write to %s', ['jane.doe@mail.example', 'bob@shop.example']],
  ['id', 'CPF %s', ['529.982.247-25']],
  ['id', 'Aadhaar %s', ['2341 2341 2346']],
  ['code', 'Your verification code is %s', ['482913', '7712']],
  ['code', 'OTP: %s', ['118 822', '60-31-18']],
  ['secret', 'Your password is %s now', ['Tulpe-88x', 'Sommer2026!']],
  ['secret', 'DB_PASSWORD=%s', ['Tulpe-88x']],
  ['secret', 'kennwort: %s', ['gruen44blau!']],
  ['secret', 'contraseña: %s', ['sol-y-luna9']],
];

const each = (of: RegExp, to: (one: string) => string) => (value: string) => value.replaceAll(of, to);
const shifted = (first: number) => each(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)));
/** Ways to spell a value. A way that does not change a value is left out. */
const WAYS: readonly [name: string, way: (value: string) => string][] = [
  ['plain', (value) => value],
  ['no-break spaces', each(/ /g, () => '\u00a0')],
  ['narrow spaces', each(/ /g, () => '\u202f')],
  ['thin spaces', each(/ /g, () => '\u2009')],
  ['ideographic spaces', each(/ /g, () => '\u3000')],
  ['tabs', each(/ /g, () => '\t')],
  ['en dashes', each(/[ -]/g, () => '–')],
  ['no-break hyphens', each(/[ -]/g, () => '\u2011')],
  ['minus signs', each(/[ -]/g, () => '−')],
  ['zero-width spaces', each(/(?<=\w)(?=\w)/g, () => '\u200b')],
  ['zero-width joiners', each(/(?<=\w)(?=\w)/g, () => '\u2060')],
  ['soft hyphens', each(/(?<=\w)(?=\w)/g, () => '\u00ad')],
  ['full-width', each(/[!-~]/g, (one) => String.fromCodePoint(one.codePointAt(0)! + 0xfee0))],
  ['full-width signs', each(/[@.+:=-]/g, (one) => String.fromCodePoint(one.codePointAt(0)! + 0xfee0))],
  ['Arabic digits', shifted(0x660)],
  ['Persian digits', shifted(0x6f0)],
  ['Devanagari digits', shifted(0x966)],
  ['Bengali digits', shifted(0x9e6)],
  ['mathematical digits', shifted(0x1d7ce)],
  ['decimal entities', each(/[^A-Za-z0-9 ]/g, (one) => `&#${one.codePointAt(0)};`)],
  ['hexadecimal entities', each(/\d/g, (one) => `&#x${one.codePointAt(0)!.toString(16)};`)],
  ['percent-encoding', (value) => encodeURIComponent(value)],
  ['percent-encoding of signs', each(/[^A-Za-z0-9]/g, (one) => `%${one.codePointAt(0)!.toString(16)}`)],
  [
    'escapes of JSON',
    each(/[^A-Za-z0-9 ]/g, (one) => `\\u${one.codePointAt(0)!.toString(16).padStart(4, '0')}`),
  ],
  ['defanged dots', each(/\./g, () => '[.]')],
  ['dots in brackets', each(/\./g, () => '(dot)')],
  ['at in brackets', each(/@/g, () => '[at]')],
  ['emphasis', (value) => `<b>${value.slice(0, 4)}</b>${value.slice(4)}`],
  ['a line end', (value) => value.replace(/ (?=\S+$)/, '\n')],
  ['a line end of Windows', (value) => value.replace(/ (?=\S+$)/, '\r\n')],
];

/** Returns every value in every way in which it can be spelt. */
export function spellingsByWay(): Spelling[] {
  return VALUES.flatMap(([kind, frame, values]) =>
    values.flatMap((plain) => {
      const written = WAYS.map(([, way]) => way(plain)).filter((value, i) => i === 0 || value !== plain);
      return [...new Set(written)].map((value) => ({ kind, text: frame.replace('%s', () => value), value }));
    }),
  );
}

/** Returns a text without secrets and personal data of all classes, as a model gets it. */
export async function maskedText(text: string): Promise<string> {
  const pseudonyms = new Pseudonyms(CASE, ALL);
  const { text: bare } = await maskSecrets(text);
  await pseudonyms.learn(bare);
  return pseudonyms.mask(bare);
}

const PLACEHOLDER = /\[(?:masked|code:\d+a?|[A-Z]{2,5}-[A-Z]{6,12}(?:-[A-Z]{2})?)\]/g;

/** Returns whether no part of a value is left: no run of two or more of its letters and digits. */
export async function isFound({ text, value }: Spelling): Promise<boolean> {
  const masked = await maskedText(text);
  if (!PLACEHOLDER.test(masked)) return false;
  PLACEHOLDER.lastIndex = 0;
  const [before = '', after = ''] = text.split(value);
  const rest = masked.replaceAll(PLACEHOLDER, '\0');
  const runs = value.match(/[\p{L}\p{N}]{2,}/gu) ?? [...value];
  return runs.every((run) => count(rest, run) <= count(before, run) + count(after, run));
}

const count = (text: string, part: string): number => text.split(part).length - 1;
