import { englishMonth, ENGLISH_WEEKDAYS, nameText } from '@casefile/pipeline/reading/index';
import {
  COUNTRIES,
  EITHER,
  NO_PERSONS,
  ORGANISATIONS,
  PLACES,
  STARTERS,
  SURNAMES,
  TITLES,
  VERBS,
} from './name-words.js';

/** A name in a text, in every spelling under which a source may have it. */
export interface Name {
  said: string;
  spellings: readonly string[];
}

/**
 * Returns the names in a text: known organisations, places and countries, institutions by their endings,
 * people by the title next to them, and capitalised words in Latin letters. Linear in the text.
 */
export function namesIn(text: string): Name[] {
  const normal = text.normalize('NFKC').replaceAll('臺', '台');
  const found = [...knownText(normal), ...institutions(normal), ...people(normal), ...latin(normal)];
  return [...new Map(found.map((name) => [name.said, name])).values()];
}

const GROUPS: ReadonlyMap<string, readonly string[]> = new Map(
  [...ORGANISATIONS, ...PLACES, ...COUNTRIES].flatMap((group) => group.map((name) => [name, group] as const)),
);
const LONGEST_KNOWN = Math.max(...[...GROUPS.keys()].map((name) => name.length));

// At each position, finds the longest known name.
function knownText(text: string): Name[] {
  const found: Name[] = [];
  for (let at = 0; at < text.length;) {
    let taken = 0;
    for (let length = LONGEST_KNOWN; length >= 2 && taken === 0; length -= 1)
      if (GROUPS.has(text.slice(at, at + length))) taken = length;
    if (taken > 0) {
      const said = text.slice(at, at + taken);
      found.push({ said, spellings: GROUPS.get(said)! });
    }
    at += Math.max(1, taken);
  }
  return found;
}

/**
 * Endings of the names of institutions. The two characters before an ending are taken as part of the name.
 */
const ENDS =
  /[\p{Script=Han}]{2}(?:公司|大學|銀行|基金會|委員會|協會|法院|醫院|集團|市政府|縣政府|研究院|研究所|管理局|管理署|總署|總會|電視台|農會|工會|學院|地檢署|分局|航空|電信|證券|電力)/gu;
const NO_NAMES =
  /^(?:各家|這家|該家|多家|上市|國營|民營|分公|母公|子公|一家|兩家|相關|主管|地方|中央|所屬|私立|公立|國立|當地|全國|大型|外商|本土|及其|旗下)/u;

function institutions(text: string): Name[] {
  return [...text.matchAll(ENDS)]
    .map(([said]) => said)
    .filter((said) => !NO_NAMES.test(said))
    .map((said) => ({ said, spellings: [said] }));
}

const TITLE = `(?:${TITLES.join('|')})`;
const BEHIND_TITLE = new RegExp(`${TITLE}(?=([${SURNAMES}][\\p{Script=Han}]{1,2}))`, 'gu');
const BEFORE_TITLE = new RegExp(`(?<=([${SURNAMES}][\\p{Script=Han}]{1,2}))${TITLE}`, 'gu');

function people(text: string): Name[] {
  const behind = [...text.matchAll(BEHIND_TITLE)].flatMap(([, name = '']) => saidPerson(name));
  const before = [...text.matchAll(BEFORE_TITLE)].flatMap(([, name = '']) =>
    GROUPS.has(name) ? [] : saidPerson(name),
  );
  return [...behind, ...before];
}

// A given name has one or two characters, so the third character of the match may be a verb.
function saidPerson(said: string): Name[] {
  const [, second = '', third = ''] = said;
  if (VERBS.includes(second) || GROUPS.has(said.slice(0, 2)) || NO_PERSONS.has(said.slice(0, 2))) return [];
  const name = VERBS.includes(third) ? said.slice(0, 2) : said;
  return [{ said: name, spellings: EITHER.includes(third) ? [name, said.slice(0, 2)] : [name] }];
}

/** Words in Latin letters. */
const WORD = /[A-Za-z][A-Za-z0-9]*(?:['’.&-][A-Za-z0-9]+)*/g;
const QUARTER = /^q[1-4]$/;
const UNIT = /^(?:kwh|mw|gw|kw|km|kg|usd|ntd?|twd|eur|us|nt)$/;
const SAYS =
  /^ (?:said|says|reported|reports|announced|announces|confirmed|confirms|denied|denies|warned|plans|wrote)\b/;

function latin(text: string): Name[] {
  const words = [...text.matchAll(WORD)];
  return words.flatMap((match, i) => {
    const word = match[0];
    const lower = word.toLowerCase();
    if (
      !/^[A-Z]/.test(word) ||
      word.length < 2 ||
      englishMonth(lower) !== null ||
      ENGLISH_WEEKDAYS.includes(lower) ||
      QUARTER.test(lower) ||
      UNIT.test(lower) ||
      /^e\d+$/.test(lower)
    )
      return [];
    const begins = isFirst(text, match.index);
    const next = words[i + 1];
    const end = match.index + word.length;
    const goesOn =
      next !== undefined && next.index === end + 1 && /^[A-Z]/.test(next[0]) && !STARTERS.has(lower);
    const speaks = SAYS.test(text.slice(end, end + 12));
    if (STARTERS.has(lower) || (begins && !goesOn && !speaks && !/[A-Z0-9]/.test(word.slice(1)))) return [];
    return [{ said: word, spellings: [lower.replace(/['’]s$/, '')] }];
  });
}

// The first word of a sentence, quotation or line always has a capital, so the capital proves no name.
function isFirst(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 3), at).trimEnd();
  return before === '' || /[.!?:。！？：“"「『(（]$/.test(before);
}

/**
 * Returns whether a text in the form of `nameText` contains a name in one of its spellings. Words in Latin
 * letters match only as whole words.
 */
export function holdsName(text: string, { spellings }: Name): boolean {
  return spellings.some((spelling) => {
    const sought = nameText(spelling);
    if (!/[a-z]/.test(sought)) return text.includes(sought);
    for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1))
      if (
        !/[a-z0-9]/.test(text[at - 1] ?? '') &&
        !/[a-z0-9]/.test((text[at + sought.length] ?? '').replace('s', ''))
      )
        return true;
    return false;
  });
}
