import { INPUT_READING, type InputReading } from '@casefile/contracts';
import { normalText } from '../../../find-quote.js';
import { cutSentences } from '../../../language/cut-sentences.js';
import { dateOfIso, datesIn, type DateClaim } from './dates.js';
import { figuresIn, type Figure } from './figures.js';
import { nameText } from './names.js';
import { datesFrom, figuresOtherwise } from './told-otherwise.js';

/** The stored original of a source, ready for sentences to be held against it. */
export interface Original extends Passage {
  id: string;
  tier: number | null;
  type: string;
  published: string | null;
  years: Set<number>;
  /** Its sentences; made ready at the first look, for most sources are never looked at so closely. */
  passages(): readonly Passage[];
}

/** A sentence of an original, or the whole, as it stands there. */
export interface Passage {
  text: string;
  /** For words, names and quotations. */
  names: string;
  quotes: string;
  figures: Figure[];
  dates: DateClaim[];
  shingles: Set<string>;
}

/** Makes a stored original ready. @param told What stands beside its text: the site, the title. */
export function originalOf(
  id: string,
  {
    text,
    told,
    published,
    tier,
    type,
  }: { text: string; told: string; published: string | null; tier: number | null; type: string },
  reading: InputReading = INPUT_READING,
): Original {
  const whole = `${told}\n${text}`;
  let passages: Passage[] | undefined;
  const ready = passageOf(whole);
  const day = dateOfIso(published);
  const dates = [...ready.dates, ...(day === null ? [] : [day])];
  return {
    ...ready,
    id,
    tier,
    type,
    published,
    figures: [...ready.figures, ...figuresOtherwise(whole.normalize('NFKC'))],
    dates: [...dates, ...datesFrom(whole, day)],
    years: new Set(dates.flatMap((date) => date.y ?? [])),
    passages: () => (passages ??= passagesOf(whole, reading).map(passageOf)),
  };
}

function passageOf(text: string): Passage {
  const normal = text.normalize('NFKC');
  return {
    text,
    names: nameText(text),
    quotes: quoteText(text),
    figures: figuresIn(normal),
    dates: datesIn(normal).map(({ date }) => date),
    shingles: shinglesOf(text),
  };
}

/** As quotations are compared: one form of width, marks and blanks; blanks between Han count for nothing. */
export function quoteText(text: string): string {
  return normalText(text)
    .replaceAll('臺', '台')
    .replaceAll(/(?<=[\p{Script=Han}，。、；：])\s(?=[\p{Script=Han}，。、；：])/gu, '');
}

/** Pairs of Han signs, and words of four letters or more by the first six of their stem: what a sentence is about. */
export function shinglesOf(text: string): Set<string> {
  const normal = nameText(text);
  const found = new Set<string>();
  for (const [run] of normal.matchAll(/\p{Script=Han}{2,}/gu))
    for (let i = 0; i + 2 <= run.length; i += 1) found.add(run.slice(i, i + 2));
  for (const [word] of normal.matchAll(/[a-z]{4,}/g)) found.add(stemOf(word).slice(0, 6));
  return found;
}

// `vote`, `voted` and `votes` are of one thing.
const stemOf = (word: string): string => word.replace(/(?:ing|ed|es|s|e)$/, '');

/** Signs and words that two texts share. */
export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const one of a) if (b.has(one)) count += 1;
  return count;
}

const LONGEST = 300;

// As they stand in the original, so that they can be found and shown there.
function passagesOf(text: string, reading: InputReading): string[] {
  if (reading === 1) return passagesOfFirstReading(text);
  return [...cutSentences(text)].flatMap(inParts).filter((passage) => passage !== '');
}

function inParts(sentence: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < sentence.length; from += LONGEST)
    parts.push(sentence.slice(from, from + LONGEST).trim());
  return parts;
}

function passagesOfFirstReading(text: string): string[] {
  const passages: string[] = [];
  for (const line of text.split('\n')) {
    let start = 0;
    for (let at = 0; at < line.length; at += 1) {
      const ends =
        '。！？'.includes(line[at] as string) ||
        (/[.!?]/.test(line[at] as string) && /^\s|^$/.test(line.slice(at + 1, at + 2)));
      if (!ends && at - start < LONGEST) continue;
      passages.push(line.slice(start, at + 1).trim());
      start = at + 1;
    }
    passages.push(line.slice(start).trim());
  }
  return passages.filter((passage) => passage !== '');
}
