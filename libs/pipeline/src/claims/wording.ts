import type { TypedClaim } from '@casefile/contracts';
import { clausesOf, findOpposite } from '../reading/index.js';
import { countShared } from '../reading/shingles.js';
import { citedSegments, type CitedPlaces } from './cited-places.js';
import { citedClauses } from './subject.js';
import { contentWords, namesIn } from './names.js';
import { segmentsOf, type CitedSpan } from './segments.js';
import { claimLanguage } from './claim-language.js';
import { ownTime } from './times.js';
import { WordList } from './word-lists.js';
import contrast from './words/contrast.json' with { type: 'json' };
import modality from './words/modality.json' with { type: 'json' };
import scope from './words/scope.json' with { type: 'json' };
import states from './words/states.json' with { type: 'json' };

export const PLANNED = new WordList(modality.planned);
const CANCELLED = new WordList(modality.cancelled);
const CORRECTED = new WordList(modality.corrected);
const DONE = new WordList(modality.done);
const EARLIER = new WordList(contrast.earlier);
const PART = new WordList(scope.part);
const WHOLE = new WordList(scope.whole);
const EMPTY = new WordList(states.empty);
const MOST_COMPARED = 400;
const SHOWN = 200;
const LONGEST_EMPTY = 200;
const MOST_PROSE = 20_000;

type Part = Pick<TypedClaim, 'dimension' | 'stated' | 'says' | 'source' | 'result'>;
const part = (
  dimension: TypedClaim['dimension'],
  result: TypedClaim['result'],
  { stated, says, source }: { stated: string; says: string; source: string | null },
): Part => ({ dimension, stated: stated.slice(0, SHOWN), says: says.slice(0, SHOWN), source, result });

/** Returns whether a result states only that its query found nothing. */
export function isEmptyResult(text: string): boolean {
  const plain = text.trim();
  if (/^(?:|null|\[\s*\]|\{\s*\}|""|-)$/.test(plain)) return true;
  if (plain.length > LONGEST_EMPTY || plain.split('\n').length > 2) return false;
  const { code } = claimLanguage(plain);
  const match = EMPTY.first(plain, code);
  if (match === null) return false;
  // Words before it may repeat the query, but state no value.
  const before = plain.slice(0, match.from).split(/\s+/);
  return !before.some((token) => /^[\d.,%]+$/.test(token) && /[1-9]/.test(token));
}

/** An empty result proves only that its query found nothing. */
export function checkEmpty(claim: string, cited: readonly CitedPlaces[], isOfNothing: boolean): Part[] {
  const [first] = cited;
  if (first === undefined || !cited.every(({ text }) => isEmptyResult(text))) return [];
  return [
    part('state', isOfNothing ? 'not_checked' : 'contradicted', {
      stated: claim,
      says: `${first.text.trim().slice(0, 120)} (this shows only that the query found nothing)`,
      source: first.id,
    }),
  ];
}

/** Compares negations and opposite verbs of a claim with clauses of the same words in the cited prose. */
export function checkPolarity(claim: string, cited: readonly CitedPlaces[]): Part[] {
  // Lines of logs state negations in single words: `unknown`, `denied`, `inactive`.
  const clauses = cited.flatMap((one) =>
    one.sort === 'prose' ? clausesOf(one.text.slice(0, MOST_PROSE)) : [],
  );
  const opposite = findOpposite(claim, clauses);
  if (opposite === null) return [];
  const dimension = opposite.kind === 'comparative' ? 'comparison' : 'state';
  const source = cited.find(({ text }) => text.normalize('NFKC').includes(opposite.source))?.id ?? null;
  return [part(dimension, 'contradicted', { stated: opposite.claim, says: opposite.source, source })];
}

/** Words of a segment by which another one is found to speak of the same. */
interface Marks {
  names: ReadonlySet<string>;
  words: ReadonlySet<string>;
  pairs: ReadonlySet<string>;
  ms: number | null;
}

function marksOf(text: string, near: number | null): Marks {
  const pairs = new Set<string>();
  for (const [run] of text.slice(0, 2_000).matchAll(/[\p{Script=Han}\p{Script=Katakana}]{2,200}/gu))
    for (let i = 0; i + 2 <= run.length; i += 1) pairs.add(run.slice(i, i + 2));
  return {
    names: new Set(namesIn(text)),
    words: contentWords(text),
    pairs,
    ms: ownTime(text, near)?.ms ?? null,
  };
}

const sharedMarks = (a: Marks, b: Marks): number =>
  countShared(a.names, b.names) + countShared(a.words, b.words) + countShared(a.pairs, b.pairs);

function isOfSame(a: Marks, b: Marks): boolean {
  if (a.names.size > 0 && b.names.size > 0) {
    const shared = countShared(a.names, b.names);
    // Two jobs on one host are two subjects.
    return shared > 0 && (shared === a.names.size || shared === b.names.size);
  }
  const words = countShared(a.words, b.words);
  return words >= 2 || (words === 1 && a.words.size <= 3) || countShared(a.pairs, b.pairs) >= 2;
}

/** Input of the search for later words on the same subject. */
export interface Later {
  claim: string;
  language: string | null;
  cited: readonly CitedPlaces[];
  /** Further sources of the record. */
  others: readonly Omit<CitedSpan, 'quote'>[];
  near: number | null;
}

/**
 * Returns the contradiction of a claim by words that cancel or correct what it cites: in the cited part itself, in a later
 * part of the same source, or in a later part of another source.
 */
export function checkCancelled({ claim, language, cited, others, near }: Later): Part[] {
  // A claim about what was said first stays true when it is corrected.
  if ([CANCELLED, CORRECTED, EARLIER].some((list) => list.first(claim, language) !== null)) return [];
  for (const one of cited) {
    const { code } = one.language;
    for (const at of one.places) {
      const own = one.segments[at]!;
      const marks = marksOf(own, near);
      if (!isOfSame(marks, marksOf(claim, near))) continue;
      const inside = citedClauses(one)
        .filter((clause) => own.includes(clause))
        .find((clause) =>
          one.sort === 'prose' ? cancelsIn(clause, claim, code) : isCancelled(clause, code),
        );
      if (inside !== undefined)
        return [part('modality', 'contradicted', { stated: claim, says: inside, source: one.id })];
      const later = laterPart(one.segments, at, { marks, code, near });
      if (later !== null)
        return [part('modality', 'contradicted', { stated: claim, says: later, source: one.id })];
    }
  }
  return correctedElsewhere({ claim, cited, others, near });
}

const isCancelled = (text: string, code: string | null): boolean =>
  (CANCELLED.first(text, code) ?? CORRECTED.first(text, code)) !== null;

/** Returns whether a sentence cancels what a claim says, and not something else in a clause of its own (`the sign was wrong`). */
function cancelsIn(sentence: string, claim: string, code: string | null): boolean {
  const own = contentWords(claim);
  return sentence.split(/[,;:]\s|[，；：、]|\s[–—]\s/u).some((clause) => {
    if (!isCancelled(clause, code)) return false;
    const words = contentWords(clause);
    return (
      /\p{Script=Han}|\p{Script=Hiragana}/u.test(clause) || words.size < 2 || countShared(own, words) > 0
    );
  });
}

function laterPart(
  segments: readonly string[],
  at: number,
  { marks, code, near }: { marks: Marks; code: string | null; near: number | null },
): string | null {
  for (let j = Math.max(0, at - MOST_COMPARED); j < Math.min(segments.length, at + MOST_COMPARED); j += 1) {
    const other = segments[j]!;
    if (j === at || (CANCELLED.first(other, code) ?? CORRECTED.first(other, code)) === null) continue;
    const theirs = marksOf(other, near);
    const isTimed = marks.ms !== null && theirs.ms !== null && marks.ms !== theirs.ms;
    const isLater = isTimed ? theirs.ms! > marks.ms! : j > at;
    // A line that begins with a correction speaks of the line before it, if it has one of its words and names no other
    // thing.
    const isOfLast =
      j === at + 1 &&
      beginsWithCorrection(other, code) &&
      sharedMarks(marks, theirs) > 0 &&
      !namesOthers(segments[at]!, other);
    if (isLater && (isOfLast || isOfSame(marks, theirs))) return other;
  }
  return null;
}

/** A name with letters, a hyphen and a digit, such as that of a host. */
const NUMBERED = /\p{L}[\p{L}\d]{0,40}(?:-[\p{L}\d]{1,40}){0,8}-\d{1,9}(?![\p{L}\d])/gu;

/** Returns whether a line names numbered things, and none of those that another line names. */
function namesOthers(line: string, other: string): boolean {
  const own = new Set(line.match(NUMBERED) ?? []);
  const theirs = other.match(NUMBERED) ?? [];
  return own.size > 0 && theirs.length > 0 && theirs.every((name) => !own.has(name));
}

/** Characters before the first word of a line: its time and marks. */
const LEAD = 24;

function beginsWithCorrection(line: string, code: string | null): boolean {
  const match = CORRECTED.first(line, code);
  return match !== null && match.from <= LEAD && !/\p{L}{2}/u.test(line.slice(0, match.from));
}

function correctedElsewhere({ claim, cited, others, near }: Omit<Later, 'language'>): Part[] {
  const marks = marksOf([claim, ...cited.flatMap(citedSegments)].join('\n'), near);
  const atOf = ({ at }: { at: string | null }) => (at === null ? null : Date.parse(at));
  const times = cited.flatMap((one) =>
    one.places.map((at) => ownTime(one.segments[at]!, near)?.ms ?? (one.sort === 'prose' ? atOf(one) : null)),
  );
  const latest = times.every((time) => time !== null) && times.length > 0 ? Math.max(...times) : null;
  for (const other of others) {
    const { code } = claimLanguage(other.text);
    for (const segment of segmentsOf(other).slice(0, MOST_COMPARED)) {
      if (CORRECTED.first(segment, code) === null) continue;
      const theirs = marksOf(segment, near);
      const ms = theirs.ms ?? (other.sort === 'prose' ? atOf(other) : null);
      if (latest !== null && (ms === null || ms < latest)) continue;
      if (latest === null && other.sort === 'lines') continue;
      const shared = countShared(marks.words, theirs.words);
      const figures = figuresOf(segment).filter((figure) => !figuresOf(claim).includes(figure));
      // A correction with another figure needs fewer shared words.
      const least = figuresOf(claim).length > 0 && figures.length > 0 ? 1 : 0;
      if (
        countShared(marks.names, theirs.names) > 0 ||
        shared >= 3 - least ||
        countShared(marks.pairs, theirs.pairs) >= 4 - least
      )
        return [part('modality', 'contradicted', { stated: claim, says: segment, source: other.id })];
    }
  }
  return [];
}

const figuresOf = (text: string): string[] => text.match(/\d[\d.,]*\d|\d/g) ?? [];

const CLAUSE = /[,;，；、。]|\s[–—]\s/u;

/** Languages whose verbs need no word for what was done. */
const WITHOUT_TENSE: ReadonlySet<string | null> = new Set(['zh', 'ja']);

/**
 * A plan, an offer or a possibility in the cited part does not prove that it was done.
 * @param isEvent Whether the claim is of something that happened, also without a word for that.
 */
export function checkPlanned(
  claim: string,
  language: string | null,
  { cited, isEvent }: { cited: readonly CitedPlaces[]; isEvent: boolean },
): Part[] {
  const isDone = DONE.first(claim, language) !== null || (isEvent && WITHOUT_TENSE.has(language));
  if (PLANNED.first(claim, language) !== null || !isDone) return [];
  const own = marksOf(claim, null);
  for (const one of cited) {
    const clauses = citedSegments(one).flatMap((segment) => segment.split(CLAUSE));
    const best = clauses
      .map((clause) => {
        const marks = marksOf(clause, null);
        return { clause, shared: sharedMarks(own, marks) };
      })
      .reduce((first, next) => (next.shared > first.shared ? next : first), { clause: '', shared: 0 });
    const { code } = one.language;
    if (best.shared < 2) continue;
    const planned = PLANNED.first(best.clause, code);
    if (planned === null || DONE.first(best.clause, code) !== null) continue;
    return [part('modality', 'contradicted', { stated: claim, says: best.clause.trim(), source: one.id })];
  }
  return [];
}

/** A part does not prove the whole: a canary, a probe, a test tenant, some of several. */
export function checkScope(
  claim: string,
  {
    language,
    cited,
    aliases,
    isWhole,
  }: { language: string | null; cited: readonly CitedPlaces[]; aliases: readonly string[]; isWhole: boolean },
): Part[] {
  if (PART.first(claim, language) !== null || PART.first(aliases.join('\n'), null) !== null) return [];
  const parts = cited.flatMap((one) =>
    citedClauses(one).map((clause) => ({ one, clause, word: PART.first(clause, one.language.code) })),
  );
  const [first] = parts;
  if (first?.word === undefined || first.word === null || parts.some(({ word }) => word === null)) return [];
  const whole = WHOLE.first(claim, language);
  const result = isWhole || whole !== null ? 'contradicted' : 'not_checked';
  return [part('scope', result, { stated: whole?.said ?? claim, says: first.clause, source: first.one.id })];
}
