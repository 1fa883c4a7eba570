import type { CitableFact, TypedClaim } from '@casefile/contracts';
import { normalQuote, normalText } from '@casefile/pipeline/reading/index';
import { factTerms, type AnswerGround, type CitedSentence } from './ground.js';
import { hasTerm, termsIn } from './terms.js';
import { AND, NOT, OR, RESTRICTS, withoutReferences } from './word-tables.js';
import { isChanging } from './changes.js';

const FIGURE = /\d+(?:[.,:]\d+)*/g;
/** A mark between two clauses of a sentence. */
const CLAUSE_END = /[,;:，；、。]\s?$/u;
const CLAUSE_START = /^\s?[,;:，；、]/u;

/** Words of a cited sentence next to its quoted words that no quote covers. */
interface Part {
  text: string;
  terms: string[];
  figures: string[];
  side: 'before' | 'behind';
  /** Whether a mark or a conjunction separates the words from the quoted ones. */
  isApart: boolean;
}

/**
 * Compares the quotes of an answer with their whole sentences. It is contradicted if they leave out a condition, a limit or
 * an alternative that the answer does not mention elsewhere. For "not met" one broken condition is enough, so only an
 * alternative and the rest of the quoted clause count.
 */
export function checkLeftOut(ground: AnswerGround): TypedClaim[] {
  const { status, sentences, language } = ground;
  const known = knownWords(ground);
  return sentences.flatMap((sentence): TypedClaim[] => {
    if (isChanging(sentence.text, language)) return [];
    const parts = partsLeftOut(sentence, known, language);
    const against = parts.find((part) =>
      status === 'MET' ? isNeeded(part, ground) : opensOtherWay(part, ground),
    );
    if (against === undefined) return [];
    return [
      {
        dimension: 'scope',
        stated: sentence.quotes.join(' … '),
        says: `the sentence continues: ${against.text.trim()}`,
        source: sentence.section.name,
        result: 'contradicted',
      },
    ];
  });
}

interface Known {
  terms: string[];
  figures: string[];
}

/** Words of the answer itself, with those of the cited sentences. */
function knownWords({ asked, rationale, title, sentences }: AnswerGround): Known {
  const said = [
    asked,
    rationale,
    title,
    ...sentences.flatMap(({ quotes, section }) => [...quotes, section.title]),
  ].join('\n');
  return { terms: termsIn(said), figures: said.match(FIGURE) ?? [] };
}

function partsLeftOut({ text, quotes }: CitedSentence, known: Known, language: string): Part[] {
  let rest = normalText(text);
  for (const quote of quotes) rest = rest.replace(normalQuote(quote), ' … ');
  const pieces = rest.split('…');
  return pieces.flatMap((piece, i): Part[] =>
    (['behind', 'before'] as const).flatMap((side): Part[] => {
      if (side === 'behind' ? i === 0 : i < pieces.length - 1 ? i > 0 : true) return [];
      const plain = withoutReferences(piece);
      const terms = termsIn(plain).filter((term) => !hasTerm(known.terms, term));
      const all: string[] = plain.match(FIGURE) ?? [];
      const figures = all.filter((figure) => !known.figures.includes(figure));
      // A reason that states the limit states the part.
      if (all.length > 0 && figures.length === 0) return [];
      if (terms.length + figures.length === 0) return [];
      const isApart =
        side === 'behind'
          ? CLAUSE_START.test(piece)
          : CLAUSE_END.test(piece.trimEnd()) || endsJoined(piece, language) || startsJoined(quotes, language);
      return [{ text: piece, terms, figures, side, isApart }];
    }),
  );
}

const endsJoined = (text: string, language: string): boolean =>
  [AND, OR].some((list) => list.in(text, language).some(({ to }) => text.slice(to).trim() === ''));
const startsJoined = (quotes: readonly string[], language: string): boolean =>
  quotes.some((quote) => [AND, OR].some((list) => list.first(quote.trim(), language)?.from === 0));

/** Returns whether an approval needs the part: a limit, a condition, or what a fact of the case is about. */
function isNeeded(
  { text, terms, figures, side, isApart }: Part,
  { language, terms: { facts } }: AnswerGround,
): boolean {
  const isOfFact = terms.some((term) => hasTerm(facts, term));
  if (side === 'behind')
    return (
      figures.length > 0 ||
      isOfFact ||
      [RESTRICTS, NOT, AND, OR].some((list) => list.first(text, language) !== null)
    );
  return !isApart && (figures.length > 0 || isOfFact || NOT.first(text, language) !== null);
}

/** Returns whether the part is an alternative, or qualifies the quoted words. */
function opensOtherWay(
  { text, terms, figures, side, isApart }: Part,
  { language, facts, rationale }: AnswerGround,
): boolean {
  const alternative = OR.first(text, language);
  if (alternative !== null) return true;
  const unused = factTerms(facts.filter((fact) => !isUsed(fact, rationale)));
  const isOfFact = terms.some((term) => hasTerm(unused, term));
  return (
    !isApart && (figures.length > 0 || isOfFact) && (side === 'behind' || AND.first(text, language) === null)
  );
}

/** Returns whether a rationale states the value of a fact. */
const isUsed = ({ value }: CitableFact, rationale: string): boolean => rationale.includes(String(value));
