import { parsePhoneNumberFromString, searchPhoneNumbersInText } from 'libphonenumber-js/max';

/**
 * Where a number without a country code may be from, and the digits that the shortest valid one has there: its own
 * (libphonenumber's possible lengths of the region), or one abroad, dialled: `00` (`011`), a country code and four digits.
 */
export const FEWEST_DIGITS = { IN: 8, US: 9, GB: 7 };
export type Region = keyof typeof FEWEST_DIGITS;
const ENOUGH_DIGITS = Math.max(...Object.values(FEWEST_DIGITS));

/** Wrong guesses after which the library gives a text up; keeps a text made of digits from being slow. */
const SEARCH = { maxTries: 1_000 };
const MAX_FOUND = 250;
const MAX_GUESSES = 1_000;
/** With a plus sign: kept also when no network has such a number, for that itself is telling. */
const INTERNATIONAL = /\+ ?\(?\d[\d ().-]{5,22}\d/g;
/** One that goes on in the next line, with an empty line between where OCR sees one. */
const BROKEN = /\+ ?\d[\d ().-]{0,18}[ \t]{0,3}\n[ \t]{0,3}\n?[ \t]{0,3}\d[\d ().-]{1,18}\d(?!\d)/g;
/** After a word that announces a number. */
const ANNOUNCED =
  /(?:call|phone|tel|whats ?app|text|dial|contact|helpline|number|sms|mobile|कॉल|फोन|फ़ोन|नंबर)[^\d+\n]{0,20}(\(?\d[\d ().-]{5,18}\d)/giu;

interface Found {
  start: number;
  end: number;
  number: string;
  note?: string;
}

/**
 * Phone numbers in E.164, in order of appearance. A number without a country code is read in the first of
 * `regions` where it is valid, regions its written form points to first.
 */
export function findPhoneNumbers(
  text: string,
  regions: readonly Region[],
): { values: string[]; notes: string[] } {
  const valid = validNumbers(text, regions);
  const withPlus = valid.filter(({ start, end }) => text.slice(start, end).includes('+'));
  const national = valid.filter((one) => !withPlus.includes(one));
  // The tail of an international number is often valid in some country too: the number as written comes first.
  const inOrder = [
    ...brokenInternational(text),
    ...withPlus,
    ...invalidInternational(text),
    ...national.filter((one) => !isAmong(text, one)),
    ...announced(text, regions),
  ];
  const all = inOrder.reduce<Found[]>(
    (kept, one) => (kept.some((k) => overlap(k, one)) ? kept : [...kept, one]),
    [],
  );
  all.sort((a, b) => a.start - b.start);
  return {
    values: all.map(({ number }) => number),
    notes: [...new Set(all.flatMap(({ note }) => note ?? []))],
  };
}

function validNumbers(text: string, regions: readonly Region[]): Found[] {
  const readings = new Map<number, { end: number; byRegion: Map<Region, string> }>();
  const digits = digitsIn(text);
  for (const region of regions) {
    if (digits < FEWEST_DIGITS[region]) continue;
    for (const { start, end, number } of search(text, region)) {
      const reading = readings.get(start) ?? { end, byRegion: new Map() };
      reading.byRegion.set(region, number);
      readings.set(start, reading);
    }
  }
  const found = [...readings].map(([start, { end, byRegion }]) => ({
    start,
    end,
    ...chosen(text.slice(start, end), byRegion, regions),
  }));
  return found
    .sort((a, b) => a.start - b.start)
    .filter((one, i, list) => i === 0 || !overlap(list[i - 1] ?? one, one));
}

// Searching is dear, and most texts have too few digits for a number; with a plus sign it may be of any region.
function digitsIn(text: string): number {
  if (/[+\uff0b]/.test(text)) return ENOUGH_DIGITS;
  let digits = 0;
  for (const _ of text.matchAll(/\p{Nd}/gu)) if ((digits += 1) === ENOUGH_DIGITS) break;
  return digits;
}

function search(text: string, region: Region): Found[] {
  const found: Found[] = [];
  for (const match of searchPhoneNumbersInText(text, { defaultCountry: region, ...SEARCH })) {
    found.push({ start: match.startsAt, end: match.endsAt, number: match.number.number });
    if (found.length >= MAX_FOUND) break;
  }
  return found;
}

function chosen(written: string, byRegion: Map<Region, string>, regions: readonly Region[]) {
  const order = [...pointedTo(written), ...regions].filter((region) => byRegion.has(region));
  const number = byRegion.get(order[0] as Region) as string;
  const others = [...new Set(byRegion.values())].filter((other) => other !== number);
  // The digits as written hold the country code, after a plus sign or as dialled.
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
function isAmong(text: string, { start, end }: Found): boolean {
  const before = text.slice(Math.max(0, start - 12), start);
  const after = text.slice(end, end + 12);
  if (/[\d)][ \t]{1,4}$|\d[.,]$/.test(before) || /^(?:[ \t]{1,4}|[.,])[$€£₹]?\d/.test(after)) return true;
  const written = text.slice(start, end);
  return /\s/.test(written) && AMOUNT.test(written);
}

// The way a number is grouped tells its country more often than not.
function pointedTo(written: string): Region[] {
  if (/^\(\d{3}\) ?\d{3}-\d{4}$|^(?:1-)?\d{3}-\d{3}-\d{4}$/.test(written)) return ['US'];
  if (/^0\d{2,4} \d{3,4} ?\d{3,4}$/.test(written)) return ['GB'];
  return [];
}

function invalidInternational(text: string): Found[] {
  return guesses(text, INTERNATIONAL).flatMap(({ start, end, written }) => {
    const digits = written.replace(/\D/g, '');
    const number = parsePhoneNumberFromString(written)?.number ?? `+${digits}`;
    return number.length >= 8 && number.length <= 16 ? [{ start, end, number }] : [];
  });
}

function brokenInternational(text: string): Found[] {
  return guesses(text, BROKEN).flatMap(({ start, end, written }) => {
    const [head = ''] = written.split('\n');
    if (parsePhoneNumberFromString(head)?.isPossible() === true) return [];
    const read = parsePhoneNumberFromString(written.replace(/\s+/g, ' '));
    return read?.isPossible() === true ? [{ start, end, number: read.number }] : [];
  });
}

function announced(text: string, regions: readonly Region[]): Found[] {
  return guesses(text, ANNOUNCED).flatMap(({ start, end, written }) => {
    const readings = regions.map((region) => parsePhoneNumberFromString(written, region));
    const number = readings.find((reading) => reading?.isPossible())?.number;
    return number === undefined ? [] : [{ start, end, number, note: assumedNote(written, number) }];
  });
}

function guesses(text: string, pattern: RegExp): { start: number; end: number; written: string }[] {
  const found: { start: number; end: number; written: string }[] = [];
  for (const match of text.matchAll(pattern)) {
    const written = match[1] ?? match[0];
    const end = match.index + match[0].length;
    found.push({ start: end - written.length, end, written });
    if (found.length >= MAX_GUESSES) break;
  }
  return found;
}

function overlap(a: Found, b: Found): boolean {
  return a.start < b.end && b.start < a.end;
}
