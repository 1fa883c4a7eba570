import {
  type Clause,
  clausesOf,
  type DateClaim,
  dateOfIso,
  detectWriting,
  relativeDatesIn,
  datesIn,
  type Figure,
  figuresIn,
  figuresOtherwise,
  nameText,
  quoteText,
  pointFiguresIn,
  quantitiesIn,
  type Quantity,
  shinglesOf,
  withPointNumbers,
  type Writing,
} from '@casefile/pipeline/reading/index';
import { writingOf } from './writing-of.js';
import { cutSentences } from '@casefile/pipeline/language/cut-sentences';

/** The stored original of a source, prepared for checking sentences against it. */
export interface Original extends Passage {
  id: string;
  tier: number | null;
  type: string;
  published: string | null;
  years: Set<number>;
  site: string;
  /** Host of its address; empty: unknown. */
  host: string;
  /** Figures that the source has in another form. */
  otherwise: readonly Figure[];
  /** Its figures with what they count; computed at the first use. */
  quantities(): readonly Quantity[];
  /** Its language; read at the first use. */
  writing(): Writing;
  /** Its figures if its numbers have commas for points; computed at the first use. */
  pointFigures(): readonly Figure[];
  /** Its clauses; read at the first use. */
  clauses(): readonly Clause[];
  /** Its sentences; computed at the first use, because most sources never need them. */
  passages(): readonly Passage[];
}

/** A sentence of an original, or the whole original, in its exact words. */
export interface Passage {
  text: string;
  /** The text in the form that is used to compare words, names and quotations. */
  names: string;
  quotes: string;
  figures: Figure[];
  dates: DateClaim[];
  shingles: Set<string>;
}

/**
 * Prepares a stored original.
 * @param told Text about the source in addition to its content: the site, the title
 */
export function prepareOriginal(
  id: string,
  {
    text,
    told,
    published,
    tier,
    type,
    url = '',
  }: {
    text: string;
    told: string;
    published: string | null;
    tier: number | null;
    type: string;
    url?: string;
  },
): Original {
  const whole = `${told}\n${text}`;
  let passages: Passage[] | undefined;
  let quantities: Quantity[] | undefined;
  let clauses: Clause[] | undefined;
  let writing: Writing | undefined;
  let points: Figure[] | undefined;
  // A short text in plain letters is English by default, because few words do not tell.
  const writingNow = () => (writing ??= MARKED.test(text) ? writingOf(text) : detectWriting(text));
  // A language with points between thousands is read as one, also in a short source.
  const normalOf = (part: string): string => {
    const normal = part.normalize('NFKC');
    return writingNow() === 'latin' ? withPointNumbers(normal) : normal;
  };
  const ready = passageOf(whole, normalOf);
  const day = dateOfIso(published);
  const otherwise = figuresOtherwise(normalOf(whole));
  const dates = [...ready.dates, ...(day === null ? [] : [day])];
  return {
    ...ready,
    id,
    tier,
    type,
    published,
    site: told.split('\n', 1)[0]!.trim(),
    host: hostOf(url),
    otherwise,
    writing: writingNow,
    pointFigures: () => (points ??= pointFiguresIn(whole)),
    clauses: () => (clauses ??= clausesOf(whole)),
    quantities: () => (quantities ??= quantitiesIn(normalOf(whole))),
    figures: [...ready.figures, ...otherwise],
    dates: [...dates, ...relativeDatesIn(whole, day).map(({ value }) => value)],
    years: new Set(dates.flatMap((date) => date.y ?? [])),
    passages: () => (passages ??= passagesOf(whole).map((one) => passageOf(one, normalOf))),
  };
}

/** A letter that English does not have. */
const MARKED = /(?=\p{L})[^\p{ASCII}]/u;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

function passageOf(text: string, normalOf: (text: string) => string): Passage {
  const normal = normalOf(text);
  return {
    text,
    names: nameText(text),
    quotes: quoteText(text),
    figures: figuresIn(normal),
    dates: datesIn(normal).map(({ value }) => value),
    shingles: shinglesOf(text),
  };
}

const LONGEST = 300;

// Returns the sentences with their original text, so that they can be found and shown in the original.
function passagesOf(text: string): string[] {
  return [...cutSentences(text)].flatMap(inParts).filter((passage) => passage !== '');
}

function inParts(sentence: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < sentence.length; from += LONGEST)
    parts.push(sentence.slice(from, from + LONGEST).trim());
  return parts;
}
