import { factName, type CitableFact, type TypedClaim } from '@casefile/contracts';
import { measuresIn } from '@casefile/pipeline/claims/index';
import { isChanging } from './changes.js';
import { factTerms, nameTerms, sentencesOf, valueTerms, type AnswerGround } from './ground.js';
import { hasTerm, isAlike, termsIn } from './terms.js';
import { FORMER, NOT, UNKNOWN } from './word-tables.js';

/**
 * Compares whom and what an answer is about with its criterion: the cited section, the fact whose value it uses, and the
 * sentences that it joins.
 */
export const checkSubjects = (ground: AnswerGround): TypedClaim[] => [
  ...otherSection(ground),
  ...otherFact(ground),
  ...joined(ground),
];

const claim = (
  dimension: TypedClaim['dimension'],
  stated: string,
  says: string,
  source: string | null,
): TypedClaim => ({
  dimension,
  stated: stated.slice(0, 200),
  says: says.slice(0, 200),
  source,
  result: 'contradicted',
});

/** Terms of the rationale that show that it uses a section which it does not cite. */
const LEAST_USED = 2;

/**
 * A criterion about bicycles answered by the section on cars, although another section names bicycles; or a section about
 * guests in place of the one that names what is asked and what a fact states.
 */
function otherSection({
  sections,
  sentences,
  asked,
  rationale,
  title,
  language,
  facts,
}: AnswerGround): TypedClaim[] {
  if (sentences.length === 0 || sentences.some(({ text }) => isChanging(text, language))) return [];
  const general = termsIn(title);
  const cited = termsIn(sentences.map(({ text, section }) => `${section.title} ${text}`).join('\n'));
  const sought = termsIn(asked).filter((term) => !hasTerm(general, term));
  const said = termsIn(rationale);
  const known = facts.filter(({ value }) => UNKNOWN.first(String(value), language) === null);
  const values = valueTerms(known);
  const isNamed = [...sought, ...factTerms(known)].some((term) => hasTerm(cited, term));
  const rival = sections.find((section) => {
    if (sentences.some((one) => one.section.nodeId === section.nodeId)) return false;
    const own = termsIn(`${section.title} ${section.text}`);
    const used = own.filter((term) => hasTerm(said, term) && !hasTerm(cited, term));
    const extra = own.filter((term) => !hasTerm(cited, term));
    if (!sought.some((term) => hasTerm(extra, term)) || used.length >= LEAST_USED) return false;
    return !isNamed || (used.length === 0 && values.some((term) => hasTerm(extra, term)));
  });
  if (rival === undefined) return [];
  return [claim('subject', asked, `${rival.title}: ${sentencesOf(rival)[0] ?? ''}`, rival.name)];
}

/** A fact with a figure, and the words of its name that another fact of the same kind lacks. */
interface Measured {
  fact: CitableFact;
  name: string;
  terms: string[];
  year: number | null;
  isUsed: boolean;
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;

/** The income of the guarantor in place of that of the tenant, the value of 2016 in place of that of 2026. */
function otherFact(ground: AnswerGround): TypedClaim[] {
  const { facts, rationale, language, terms } = ground;
  const figures = new Set(measuresIn(rationale, language).map(({ value }) => value));
  const stated: readonly string[] = rationale.match(YEAR) ?? [];
  const measured = facts.map((fact): Measured => {
    const name = factName(fact.name).replaceAll('_', ' ');
    const own = measuresIn(String(fact.value), language).map(({ value }) => value);
    const year = YEAR.exec(name)?.[0];
    const used =
      own.some((value) => figures.has(value)) ||
      (YEAR.exec(String(fact.value)) !== null && stated.includes(YEAR.exec(String(fact.value))![0]));
    return {
      fact,
      name,
      terms: nameTerms([fact]),
      year: year === undefined ? null : Number(year),
      isUsed: used,
    };
  });
  const about = [...terms.asked, ...terms.cited];
  for (const one of measured.filter(({ isUsed }) => isUsed))
    for (const other of measured.filter(
      ({ isUsed, fact }) => !isUsed && isSameKind(one.fact, fact, language),
    )) {
      const isNewer =
        one.year !== null && other.year !== null && other.year > one.year && sameTerms(one, other);
      const isCurrent =
        FORMER.first(one.name, language) !== null &&
        FORMER.first(other.name, language) === null &&
        sharesTerm(one, other);
      const extra = one.terms.filter((term) => !hasTerm(other.terms, term));
      const missing = other.terms.filter((term) => !hasTerm(one.terms, term));
      const isForeign =
        sharesTerm(one, other) &&
        missing.some((term) => hasTerm(about, term)) &&
        extra.length > 0 &&
        !extra.some((term) => hasTerm(about, term));
      if (isNewer || isCurrent || isForeign)
        return [
          claim(
            isForeign ? 'subject' : 'time',
            `${one.name} = ${String(one.fact.value)}`,
            `${other.name} = ${String(other.fact.value)}`,
            'facts',
          ),
        ];
    }
  return [];
}

const sameTerms = (a: Measured, b: Measured): boolean =>
  a.terms.length === b.terms.length && a.terms.every((term) => b.terms.some((one) => one === term));
const sharesTerm = (a: Measured, b: Measured): boolean =>
  a.terms.some((term) => b.terms.some((one) => isAlike(one, term)));

function isSameKind(a: CitableFact, b: CitableFact, language: string): boolean {
  if (a.unit !== b.unit) return false;
  if (a.unit !== undefined) return true;
  const dimensions = [a, b].map(
    ({ value }) => measuresIn(String(value), language).map(({ dimension }) => dimension)[0],
  );
  return dimensions[0] !== undefined && dimensions[0] === dimensions[1];
}

/** `No se permite [comer]` joined with `[Beber agua] está permitido`: the words of one sentence with the rest of another. */
function joined({ sentences, rationale, language }: AnswerGround): TypedClaim[] {
  const said = termsIn(rationale);
  for (const one of sentences)
    for (const other of sentences) {
      if (one === other || one.section.nodeId === other.section.nodeId) continue;
      const [own, theirs] = [termsIn(one.text), termsIn(other.text)];
      const quoted = termsIn(one.quotes.join('\n'));
      const isCut = own.some(
        (term) => !hasTerm(quoted, term) && !hasTerm(said, term) && !hasTerm(theirs, term),
      );
      const isUsed =
        quoted.some((term) => hasTerm(said, term) && !hasTerm(theirs, term)) ||
        NOT.first(one.quotes.join('\n'), language) !== null;
      const rest = said.filter((term) => hasTerm(theirs, term) && !hasTerm(own, term));
      const otherQuoted = termsIn(other.quotes.join('\n'));
      const isOtherCut = theirs.some((term) => !hasTerm(otherQuoted, term));
      if (isCut && isUsed && rest.length > 0 && isOtherCut)
        return [
          claim(
            'subject',
            `${one.quotes.join(' … ')} / ${other.quotes.join(' … ')}`,
            one.text,
            one.section.name,
          ),
        ];
    }
  return [];
}
