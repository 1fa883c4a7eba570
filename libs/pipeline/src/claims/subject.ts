import type { TypedClaim } from '@casefile/contracts';
import { countShared } from '../reading/shingles.js';
import { citedSegments, type CitedPlaces } from './cited-places.js';
import { contentWords, namesIn, namesIt } from './names.js';
import { clausesOfLine } from './segments.js';
import { WordList } from './word-lists.js';
import concepts from './words/concepts.json' with { type: 'json' };
import states from './words/states.json' with { type: 'json' };

const HAN = /[\p{Script=Han}\p{Script=Katakana}]/u;
const alternatives = (words: string, isHan: boolean): string =>
  words
    .split('|')
    .filter((word) => HAN.test(word) === isHan)
    .join('|') || '(?!)';
const CONCEPTS = Object.entries(concepts).map(([key, words]) => ({
  key,
  list: new WordList({ en: alternatives(words, false), zh: alternatives(words, true) }),
}));
const VOCABULARY = [...CONCEPTS.map(({ list }) => list), new WordList(states.bad), new WordList(states.good)];
const MOST_CLAUSES = 400;

/** Subject of a claim, as the record and the claim name it. */
export interface NamedSubject {
  /** Names in lower case that the claim states, or of the case itself; empty: the claim names none. */
  names: readonly string[];
  /** Whether the claim states a name. */
  isStated: boolean;
}

/**
 * Returns the subject of a claim: its technical names, and the names of the record (`aliases`, and names that begin
 * lines of its sources) which it states. Without one it is the subject of the case, if `isOfCase`.
 */
export function subjectOf(
  claim: string,
  cited: readonly CitedPlaces[],
  { aliases, isOfCase }: { aliases: readonly string[]; isOfCase: boolean },
): NamedSubject {
  const text = claim.toLowerCase();
  const leads = cited.flatMap(({ segments }) =>
    segments.slice(0, MOST_CLAUSES).flatMap(clausesOfLine).map(leadOf),
  );
  const known = [...aliases.map((alias) => alias.toLowerCase()), ...leads].filter(
    (name) => name.length > 2 && !isVocabulary(name),
  );
  const names = [...new Set([...namesIn(claim), ...known.filter((name) => namesIt(text, name))])];
  if (names.length > 0) return { names, isStated: true };
  return { names: isOfCase ? aliases.map((alias) => alias.toLowerCase()) : [], isStated: false };
}

/** Result of comparing the subject of a claim with the cited parts. */
export interface SubjectCheck {
  claims: TypedClaim[];
  /** Whether the claim states a name that neither the cited parts nor the look-up's arguments show to be their subject. */
  isUnnamed: boolean;
}

/**
 * Compares the subject of a claim with the cited parts. It holds if a part has its name. It is contradicted if each cited
 * part speaks of something else in the words in which another part of the same source speaks of it.
 */
export function checkSubject(
  claim: string,
  subject: NamedSubject,
  cited: readonly CitedPlaces[],
): SubjectCheck {
  const { names, isStated } = subject;
  const clauses = cited.flatMap((one) => citedClauses(one).map((clause) => ({ one, clause })));
  const stated = isStated ? names.slice(0, 3).join(', ') : claim.slice(0, 80);
  const part = (
    result: TypedClaim['result'],
    says: string,
    source: string | null,
  ): SubjectCheck['claims'][number] => ({
    dimension: 'subject',
    stated,
    says: says.slice(0, 200),
    source,
    result,
  });
  const named = clauses.find(({ clause }) => names.some((name) => namesIt(clause.toLowerCase(), name)));
  if (names.length > 0 && named !== undefined && (isStated || cited.length > 0))
    return { claims: [part('holds', named.clause, named.one.id)], isUnnamed: false };
  const others = clauses.map(({ one, clause }) => ({ one, clause, other: rivalOf(clause, one, names) }));
  const [first] = others;
  if (names.length > 0 && first !== undefined && others.every(({ other }) => other !== null))
    return { claims: [part('contradicted', first.clause, first.one.id)], isUnnamed: true };
  const link = clauses.find(({ clause }) => isLinked(claim, clause));
  if (isStated && names.length > 0) {
    const isOfArguments = clauses.some(
      ({ one, clause }) =>
        (one.about ?? []).some((name) => names.includes(name.toLowerCase())) &&
        !hasForeignLead(clause, claim),
    );
    const says = isOfArguments ? 'only the arguments of the look-up name it' : 'no cited line names it';
    return { claims: [part('not_checked', says, null)], isUnnamed: !isOfArguments };
  }
  if (link !== undefined) return { claims: [part('holds', link.clause, link.one.id)], isUnnamed: false };
  return { claims: [part('not_checked', 'no cited line has its words', null)], isUnnamed: false };
}

/** Returns the clauses of the cited lines that hold the words of the quote, else the whole lines. */
export function citedClauses(cited: CitedPlaces): string[] {
  if (cited.sort === 'prose') return citedSegments(cited);
  const words = contentWords(cited.quote);
  const figures = new Set(cited.quote.match(/\d[\d.,:]*/g) ?? []);
  return citedSegments(cited).flatMap((line) => {
    const clauses = clausesOfLine(line);
    if (clauses.length < 2) return [line];
    const own = clauses.filter(
      (clause) =>
        countShared(words, contentWords(clause)) > 0 ||
        (words.size === 0 && [...figures].some((figure) => clause.includes(figure))),
    );
    const holding = own.filter((clause) => clause.includes(cited.quote.trim()));
    return holding.length > 0 ? holding : own.length > 0 ? own : [line];
  });
}

/** Returns a clause of the same source that states the same of the claim's subject as the cited one does of another. */
function rivalOf(clause: string, { segments, sort }: CitedPlaces, names: readonly string[]): string | null {
  if (sort === 'prose') return null;
  const own = shapeOf(clause);
  if (own.words.length < 2 || !own.hasFigure) return null;
  for (const other of segments.slice(0, MOST_CLAUSES).flatMap(clausesOfLine).slice(0, MOST_CLAUSES)) {
    const lower = other.toLowerCase();
    if (other === clause || !names.some((name) => namesIt(lower, name))) continue;
    const rest = shapeOf(other).words.filter((word) => !names.includes(word));
    const extra = own.words.filter((word) => !rest.includes(word));
    const shared = own.words.length - extra.length;
    if (extra.length > 0 && shared >= 1 && shared * 2 >= Math.max(rest.length, own.words.length - 1))
      return other;
  }
  return null;
}

const shapeOf = (clause: string): { words: string[]; hasFigure: boolean } => ({
  words: clause.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [],
  hasFigure: /\d/.test(clause),
});

const LEVEL = /^(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|panic|critical|sever(?:e|ity))$/i;
const LEAD =
  /^[\s[\]()<>"'{}*•-]{0,8}(?:(?:\d{4}-\d\d-\d\d[T ]?)?[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?[\s\]]{1,4})?/u;

/** Returns the first word of a clause after its time and level, in lower case; empty: it begins with a figure. */
function leadOf(clause: string): string {
  const words = clause
    .slice(0, 120)
    .replace(LEAD, '')
    .split(/[\s=:,"'[\]()]+/u)
    .filter((word) => word !== '');
  const [first = ''] = LEVEL.test(words[0] ?? '') ? words.slice(1) : words;
  return /^\p{L}/u.test(first) ? first.toLowerCase() : '';
}

const isVocabulary = (word: string): boolean =>
  VOCABULARY.some((list) => list.in(word, null).some(({ said }) => said.length === word.length));

function hasForeignLead(clause: string, claim: string): boolean {
  const lead = leadOf(clause);
  return lead.length > 2 && !isVocabulary(lead) && !claim.toLowerCase().includes(lead);
}

/** Returns whether a claim and a cited part share a concept or a word of content. */
function isLinked(claim: string, clause: string): boolean {
  if (countShared(contentWords(claim), contentWords(clause)) > 0) return true;
  return CONCEPTS.some(({ list }) => list.first(claim, null) !== null && list.first(clause, null) !== null);
}
