import { citableFacts, factName, type CitableFact, type Fact } from '@casefile/contracts';

export interface FactAnswer {
  /** As it was looked for. */
  name: string;
  /** Every reading of it, the surest first. */
  readings: CitableFact[];
  /** When there is none: the names there are, so that another can be asked for. */
  known: string[];
}

/** Names that are listed when one is not known. */
const MOST_KNOWN = 100;

/** S4-11: the facts of a case by a name in any spelling, or by a citation's id. */
export function findFact(facts: readonly Fact[], asked: string): FactAnswer {
  const citable = citableFacts(facts);
  const name = factName(asked);
  const byName = citable.filter((fact) => factName(fact.name) === name);
  const readings = byName.length > 0 ? byName : citable.filter(({ id }) => id === asked.trim());
  const names = [...new Set(facts.map((fact) => factName(fact.name)))].sort();
  return {
    name,
    readings: readings.toSorted((a, b) => b.confidence - a.confidence),
    known: readings.length > 0 ? [] : names.slice(0, MOST_KNOWN),
  };
}
