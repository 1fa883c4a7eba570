import {
  parsePhoneNumberFromString,
  searchPhoneNumbersInText,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import type { Region } from './phone-regions.js';

/** Countries in which a number without a country code is read, each list with the likeliest first. */
export interface PhoneOptions {
  /** Countries that the sender or the language points to. They come before `regions`. Default: none. */
  likely?: readonly Region[];
  /** Countries of the configuration. */
  regions: readonly Region[];
}

/**
 * Fewest digits of a number in each country: the shorter of its shortest valid number (libphonenumber's
 * possible lengths) and a number dialled abroad (`00` or `011`, a country code and four digits).
 */
export const FEWEST_DIGITS: Partial<Record<Region, number>> = { IN: 8, US: 9, GB: 7 };
/** Fewest digits for other countries. Some have shorter numbers, but those would match dates and amounts. */
const FEWEST_ELSEWHERE = 7;
const fewestDigits = (region: Region) => FEWEST_DIGITS[region] ?? FEWEST_ELSEWHERE;
const ENOUGH_DIGITS = Math.max(FEWEST_ELSEWHERE, ...Object.values(FEWEST_DIGITS));

/** Wrong guesses after which the library stops searching, so that a text of digits is not slow. */
const SEARCH = { maxTries: 1_000 };
const MAX_FOUND = 250;
const MAX_GUESSES = 1_000;
/**
 * A number with a plus sign. It is kept even if no network has such a number, because an impossible number is
 * a sign of deceit too.
 */
const INTERNATIONAL = /\+ ?\(?\d[\d ().-]{5,22}\d/g;
/** A number that continues in the next line, with an empty line between if OCR sees one. */
const BROKEN = /\+ ?\d[\d ().-]{0,18}[ \t]{0,3}\n[ \t]{0,3}\n?[ \t]{0,3}\d[\d ().-]{1,18}\d(?!\d)/g;
/** A number after a word that announces one. */
const ANNOUNCED =
  /(?:call|phone|tel|whats ?app|text|dial|contact|helpline|number|sms|mobile|कॉल|फोन|फ़ोन|नंबर)[^\d+\n]{0,20}(\(?\d[\d ().-]{5,18}\d)/giu;
/**
 * The same words in other languages, for numbers of the countries that the sender or the language points to.
 */
const ANNOUNCED_ELSEWHERE =
  /(?<!\p{L})(?:anrufen|anruf|rufen|nummer|ring|numret|bel|appele[rz]|llam[ae]r?|ligue|chiam[ai]|n[uú]mero|num[eé]ro|zadzwoń|telefon|позвоните|номер)(?!\p{L})[^\d+\n]{0,20}(\(?\d[\d ().-]{5,18}\d)/giu;

interface NumberMatch {
  start: number;
  end: number;
  number: string;
  note?: string;
}

/**
 * Returns phone numbers in E.164, in order of appearance. A number without a country code is read in the first country
 * where it is valid: the likely ones, those that its written form points to, then those of the configuration.
 */
export function findPhoneNumbers(text: string, options: PhoneOptions): { values: string[]; notes: string[] } {
  const valid = validNumbers(text, options);
  const withPlus = valid.filter(({ start, end }) => text.slice(start, end).includes('+'));
  const national = valid.filter((one) => !withPlus.includes(one));
  // The last digits of an international number are often a valid number of some country, so whole numbers are
  // searched first.
  const inOrder = [
    ...brokenInternational(text),
    ...withPlus,
    ...invalidInternational(text),
    ...national.filter((one) => !isAmong(text, one)),
    ...announcedText(text, options),
  ];
  const all = inOrder.reduce<NumberMatch[]>(
    (kept, one) => (kept.some((k) => overlap(k, one)) ? kept : [...kept, one]),
    [],
  );
  all.sort((a, b) => a.start - b.start);
  return {
    values: all.map(({ number }) => number),
    notes: [...new Set(all.flatMap(({ note }) => note ?? []))],
  };
}

function validNumbers(text: string, options: PhoneOptions): NumberMatch[] {
  const { regions, likely = [] } = options;
  const readings = new Map<number, { end: number; byRegion: Map<Region, string> }>();
  const digits = digitsIn(text);
  for (const region of new Set([...regions, ...likely])) {
    if (digits < fewestDigits(region)) continue;
    for (const { start, end, number } of search(text, region)) {
      if (!regions.includes(region) && !isNational(text.slice(start, end))) continue;
      const reading = readings.get(start) ?? { end, byRegion: new Map() };
      reading.byRegion.set(region, number);
      readings.set(start, reading);
    }
  }
  const numbers = [...readings].map(([start, { end, byRegion }]) => ({
    start,
    end,
    ...chosenWritten(text.slice(start, end), byRegion, options),
  }));
  return numbers
    .sort((a, b) => a.start - b.start)
    .filter((one, i, list) => i === 0 || !overlap(list[i - 1] ?? one, one));
}

// Searching is slow, and most texts have too few digits for a number. With a plus sign it may be of any
// region.
function digitsIn(text: string): number {
  if (/[+\uff0b]/.test(text)) return ENOUGH_DIGITS;
  let digits = 0;
  for (const _ of text.matchAll(/\p{Nd}/gu)) if ((digits += 1) === ENOUGH_DIGITS) break;
  return digits;
}

/**
 * Returns whether the number has the domestic prefix. Without it, dates and amounts are valid numbers in many
 * countries.
 */
function isNational(written: string): boolean {
  return /^\(?0/.test(written) && written.replace(/\D/g, '').length >= FEWEST_ELSEWHERE;
}

function search(text: string, region: Region): NumberMatch[] {
  const matches: NumberMatch[] = [];
  for (const match of searchPhoneNumbersInText(text, { defaultCountry: region, ...SEARCH })) {
    matches.push({ start: match.startsAt, end: match.endsAt, number: match.number.number });
    if (matches.length >= MAX_FOUND) break;
  }
  return matches;
}

function chosenWritten(
  written: string,
  byRegion: Map<Region, string>,
  { likely = [], regions }: PhoneOptions,
) {
  const order = [...likely, ...pointedTo(written), ...regions].filter((region) => byRegion.has(region));
  const number = byRegion.get(order[0] as Region) as string;
  const others = [...new Set(byRegion.values())].filter((other) => other !== number);
  // The country is not assumed if the number as written contains its code, after a plus sign or as dialled.
  if (written.replace(/\D/g, '').endsWith(number.slice(1))) return { number };
  return { number, note: assumedNote(written, number, others) };
}

function assumedNote(written: string, number: string, others: readonly string[] = []): string {
  const could = others.length === 0 ? 'its country is assumed' : `could be ${others.join(' or ')}`;
  return `"${written}" has no country code: read as ${number}, ${could}.`;
}

/** An amount: decimals, or thousands in groups. */
const AMOUNT = /(?<![\d.])\d{1,9}\.\d{2}(?![\d.])|\d,\d/;

// Columns of a bill or a meter reading: figures next to figures, or amounts among them.
function isAmong(text: string, { start, end }: NumberMatch): boolean {
  const before = text.slice(Math.max(0, start - 12), start);
  const after = text.slice(end, end + 12);
  if (/[\d)][ \t]{1,4}$|\d[.,]$/.test(before) || /^(?:[ \t]{1,4}|[.,])[$€£₹]?\d/.test(after)) return true;
  const written = text.slice(start, end);
  return /\s/.test(written) && AMOUNT.test(written);
}

// The grouping of a number usually indicates its country.
function pointedTo(written: string): Region[] {
  if (/^\(\d{3}\) ?\d{3}-\d{4}$|^(?:1-)?\d{3}-\d{3}-\d{4}$/.test(written)) return ['US'];
  if (/^0\d{2,4} \d{3,4} ?\d{3,4}$/.test(written)) return ['GB'];
  return [];
}

function invalidInternational(text: string): NumberMatch[] {
  return guesses(text, INTERNATIONAL).flatMap(({ start, end, written }) => {
    const digits = written.replace(/\D/g, '');
    const number = parsePhoneNumberFromString(written)?.number ?? `+${digits}`;
    return number.length >= 8 && number.length <= 16 ? [{ start, end, number }] : [];
  });
}

function brokenInternational(text: string): NumberMatch[] {
  return guesses(text, BROKEN).flatMap(({ start, end, written }) => {
    const [head = ''] = written.split('\n');
    if (parsePhoneNumberFromString(head)?.isPossible() === true) return [];
    const read = parsePhoneNumberFromString(written.replace(/\s+/g, ' '));
    return read?.isPossible() === true ? [{ start, end, number: read.number }] : [];
  });
}

function announcedText(text: string, { likely = [], regions }: PhoneOptions): NumberMatch[] {
  const read = (pattern: RegExp, within: readonly Region[], isTaken: (one: PhoneNumber) => boolean) =>
    guesses(text, pattern).flatMap(({ start, end, written }) => {
      const readings = within.map((region) => parsePhoneNumberFromString(written, region));
      const number = readings.find((reading) => reading !== undefined && isTaken(reading))?.number;
      return number === undefined ? [] : [{ start, end, number, note: assumedNote(written, number) }];
    });
  const inLikely =
    likely.length === 0
      ? []
      : [ANNOUNCED_ELSEWHERE, ANNOUNCED].flatMap((pattern) => read(pattern, likely, (one) => one.isValid()));
  return [...inLikely, ...read(ANNOUNCED, regions, (one) => one.isPossible())];
}

function guesses(text: string, pattern: RegExp): { start: number; end: number; written: string }[] {
  const spans: { start: number; end: number; written: string }[] = [];
  for (const match of text.matchAll(pattern)) {
    const written = match[1] ?? match[0];
    const end = match.index + match[0].length;
    spans.push({ start: end - written.length, end, written });
    if (spans.length >= MAX_GUESSES) break;
  }
  return spans;
}

function overlap(a: NumberMatch, b: NumberMatch): boolean {
  return a.start < b.end && b.start < a.end;
}
