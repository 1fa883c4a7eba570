import { ORGANISATIONS, SAME_NAMES } from './name-words.js';
import { holdsName, type Name } from './names.js';
import type { Original } from './passages.js';
import { isStopWord, nameText } from '@casefile/pipeline/reading/index';

const GROUPS = new Map(SAME_NAMES.flatMap((group) => group.map((name) => [name, group] as const)));
/** Capitalised words that are not names. */
const NO_NAMES = new Set(
  'internet web tv ai pdf url faq dna gdp president minister mr mrs ms dr sir tier hypertension english'.split(
    ' ',
  ),
);
const ACRONYM = /(?<![\p{L}\p{N}])(?:\p{Lu}\.?){2,7}(?![\p{L}\p{N}])/gu;
const DEMONYM = /(?:ese|ians?|ans?|ish|ns?|i|s)$/;

/** Returns whether a source has a name of a sentence, in this or another spelling. */
export function namesSame(name: Name, sentence: string, source: Original): boolean {
  if (holdsName(source.names, name) || isSpelledOut(name.said, source.text)) return true;
  const said = nameText(name.said).replace(/['’]s?$/, '');
  if (NO_NAMES.has(said)) return true;
  const group = GROUPS.get(said.replaceAll('.', '')) ?? GROUPS.get(said);
  if (group?.some((other) => holdsWord(source.names, other))) return true;
  if (/^[a-z]/.test(said)) return isInSpelling(said, sentence, source) || hasStem(said, source.names);
  return isShortened(withoutParticle(said), source.names);
}

// Returns whether a text has words with these initials. `CPSC`: Consumer Product Safety Commission.
function isSpelledOut(letters: string, text: string): boolean {
  if (!/^[A-Z]{3,6}$/.test(letters)) return false;
  const initials = (text.match(/[A-Za-z]+/g) ?? [])
    .filter((word) => !isStopWord(word))
    .map((word) => (/^[A-Z][a-z]/.test(word) ? word.charAt(0) : ' '));
  return initials.join('').includes(letters);
}

function holdsWord(text: string, word: string): boolean {
  return holdsName(text, { said: word, spellings: [word] });
}

// `Consumer Product Safety Commission` for a source's `CPSC`.
function isInSpelling(said: string, sentence: string, source: Original): boolean {
  const acronyms = new Set([...source.text.matchAll(ACRONYM)].map(([word]) => word.replaceAll('.', '')));
  if (acronyms.size === 0) return false;
  return sentenceRuns(sentence).some((words) => {
    if (!words.some((word) => nameText(word).replace(/['’]s?$/, '') === said)) return false;
    const initials = words.map((word) => word.charAt(0)).join('');
    return [...acronyms].some((acronym) => initials.includes(acronym));
  });
}

// Returns sequences of capitalised words. Small words between them are skipped.
function sentenceRuns(sentence: string): string[][] {
  const runs: string[][] = [[]];
  for (const word of sentence.split(/[^\p{L}\p{M}’'&-]+/u)) {
    if (/^\p{Lu}/u.test(word)) runs.at(-1)!.push(word);
    else if (!isStopWord(word) && word !== '&' && runs.at(-1)!.length > 0) runs.push([]);
  }
  return runs;
}

// `Japanese` for `Japan`, `Germans` for `Germany`.
function hasStem(said: string, names: string): boolean {
  const stem = said.replace(DEMONYM, '');
  if (stem.length < 4) return false;
  for (let at = names.indexOf(stem); at >= 0; at = names.indexOf(stem, at + 1)) {
    const rest = /^[a-z]*/.exec(names.slice(at + stem.length, at + stem.length + 8))?.[0] ?? '';
    if (!/[a-z]/.test(names[at - 1] ?? '') && (rest.length <= 1 || DEMONYM.test(rest)) && rest.length <= 4)
      return true;
  }
  return false;
}

const LONGEST_NAME = 16;
const PARTICLES = /^[的在與和及由被向對從是為有將各該這那每某等據過經]+/u;
const CITY = /(.{2})[市縣]政府$/u;
const GENERIC =
  /^(?:涉案|這間|那家|民間|國際|國內|國外|海外|知名|大型|私人|部分|其他|所有|任何|許多|多數|該間|本地|各級|主要)/u;
const withoutParticle = (said: string): string => said.replace(PARTICLES, '');

// Returns whether a name is a short form: first and last character, with those between in the same order.
// `工總會` is one of `全國工業總會`.
function isShortened(said: string, names: string): boolean {
  if (said.length < 2 || names.includes(said) || GENERIC.test(said)) return true;
  const city = CITY.exec(said)?.[1];
  if (city !== undefined && (names.includes(city) || /[市縣]府/.test(names))) return true;
  // `過立法院`: a known institution behind a verb.
  if (
    ORGANISATIONS.some(
      (group) => group.some((one) => said.endsWith(one)) && group.some((one) => names.includes(one)),
    )
  )
    return true;
  const [first, last] = [said[0]!, said.at(-1)!];
  let looked = 0;
  for (
    let at = names.indexOf(first);
    at >= 0 && looked < 200;
    at = names.indexOf(first, at + 1), looked += 1
  ) {
    const run = /^\p{Script=Han}{2,16}/u.exec(names.slice(at, at + LONGEST_NAME))?.[0] ?? '';
    const end = run.lastIndexOf(last);
    if (end >= said.length && isSubsequence(said, run.slice(0, end + 1)) && said.length >= 3) return true;
  }
  // The source may have the abbreviation of a name that the sentence spells out.
  return said.length >= 5 && shortForms(said).some((short) => names.includes(short));
}

const shortForms = (said: string): string[] =>
  [...said.slice(1, -1)].map((middle) => `${said[0]}${middle}${said.at(-1)}`);

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const sign of long) if (sign === short[at]) at += 1;
  return at === short.length;
}
