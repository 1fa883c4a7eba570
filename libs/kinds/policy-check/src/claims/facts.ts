import { factName, type CitableFact, type TypedClaim } from '@casefile/contracts';
import { PLANNED } from '@casefile/pipeline/claims/wording';
import { nameTerms, type AnswerGround } from './ground.js';
import { hasTerm, termsIn } from './terms.js';
import { NOT, UNKNOWN } from './word-tables.js';

const claim = (
  stated: string,
  fact: CitableFact,
  dimension: TypedClaim['dimension'] = 'modality',
): TypedClaim => ({
  dimension,
  stated: stated.slice(0, 200),
  says: `${factName(fact.name)} = ${String(fact.value)}`.slice(0, 200),
  source: 'facts',
  result: 'contradicted',
});

/**
 * Compares the values of facts with what the cited sentences require. A plan, an offer or a denied act is no act; a value
 * that states that nothing is known proves nothing; and what another fact states is not missing.
 */
export function checkFacts(ground: AnswerGround): TypedClaim[] {
  return [...plannedOrDenied(ground), ...unknownValues(ground), ...statedElsewhere(ground)];
}

/** Parts of a value, of which each states one thing. */
const PART = /[,;，；、]\s?/u;

/** `ordered on 5 January, installed on 20 January`, `offered, not bought`, `plans to withdraw`. */
function plannedOrDenied({
  status,
  facts,
  sentences,
  language,
  rationale,
  terms: { cited: required },
}: AnswerGround): TypedClaim[] {
  if (status !== 'MET') return [];
  const isDenying = sentences.some(({ text }) => NOT.first(text, language) !== null);
  for (const fact of facts) {
    const parts = String(fact.value).split(PART);
    const own = parts.filter((part) => termsIn(part).some((term) => hasTerm(required, term)));
    const denied = own.find((part) => NOT.first(part, language) !== null);
    if (denied !== undefined && own.length === 1 && !isDenying) return [claim(rationale, fact)];
    const planned = own.find((part) => PLANNED.first(part, language) !== null);
    if (planned !== undefined && own.length === 1) return [claim(rationale, fact)];
    const elsewhere = parts.find((part) => !own.includes(part) && DATE.test(part));
    const [dated] = own.filter((part) => DATE.test(part));
    if (dated !== undefined && elsewhere !== undefined && usesOnly(rationale, elsewhere, dated))
      return [claim(rationale, fact, 'time')];
  }
  return [];
}

const DATE = /\d{4}-\d{2}-\d{2}/;

/** Returns whether a text states the words of one part of a value, and none of another part. */
function usesOnly(text: string, part: string, other: string): boolean {
  const said = termsIn(text);
  return (
    termsIn(part).some((term) => hasTerm(said, term)) && !termsIn(other).some((term) => hasTerm(said, term))
  );
}

/** An answer that rests on facts whose values state only that nothing is known. */
function unknownValues({
  status,
  facts,
  rationale,
  language,
  terms: { cited: required },
}: AnswerGround): TypedClaim[] {
  const unknown = facts.filter(({ value }) => UNKNOWN.first(String(value), language) !== null);
  const [first] = unknown;
  if (first === undefined) return [];
  if (status === 'MET' && unknown.length === facts.length) return [claim(rationale, first, 'state')];
  const known = facts.filter((fact) => !unknown.includes(fact));
  const shared = nameTerms(unknown);
  const rests = unknown.find((fact) => {
    const names = nameTerms([fact]);
    return names.some((term) => hasTerm(required, term));
  });
  const said = termsIn(rationale);
  const isOnOthers = known.some((fact) =>
    [...nameTerms([fact]), ...termsIn(String(fact.value))].some(
      (term) => !hasTerm(shared, term) && hasTerm(said, term) && hasTerm(required, term),
    ),
  );
  return rests === undefined || isOnOthers ? [] : [claim(rationale, rests, 'state')];
}

/**
 * "Not met" by a fact that is planned, denied or unknown, although another fact of the same name states the act in the
 * words of the sentence.
 */
function statedElsewhere({
  status,
  facts,
  language,
  rationale,
  terms: { cited: required },
}: AnswerGround): TypedClaim[] {
  if (status !== 'NOT_MET') return [];
  const said = termsIn(rationale);
  const isUsed = ({ value }: CitableFact) => termsIn(String(value)).some((term) => hasTerm(said, term));
  const lacking = facts.filter((fact) => isUsed(fact) && !states(fact, required, language));
  const stating = facts.find(
    (fact) =>
      !isUsed(fact) &&
      states(fact, required, language) &&
      lacking.some(
        (one) => !isNewer(one, fact) && nameTerms([one]).some((term) => hasTerm(nameTerms([fact]), term)),
      ),
  );
  return stating === undefined ? [] : [claim(rationale, stating, 'state')];
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;

/** Returns whether the name of a fact has a later year than that of another one. */
function isNewer(one: CitableFact, other: CitableFact): boolean {
  const [own, theirs] = [one, other].map(({ name }) => Number(YEAR.exec(name)?.[0]));
  return own! > theirs!;
}

/** Returns whether a value states an act that is required, as done. */
function states({ value }: CitableFact, required: readonly string[], language: string): boolean {
  const text = String(value);
  return (
    termsIn(text).some((term) => hasTerm(required, term)) &&
    [NOT, PLANNED, UNKNOWN].every((list) => list.first(text, language) === null)
  );
}
