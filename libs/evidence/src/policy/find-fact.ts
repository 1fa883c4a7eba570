import {
  citableFacts,
  factName,
  factNames,
  factsNamed,
  type CitableFact,
  type Fact,
} from '@casefile/contracts';

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

/**
 * S4-11: the facts of a case by a name in any spelling, or by a citation's id.
 * @param known the names there are; left out: those of `facts`.
 */
export function findFact(facts: readonly Fact[], asked: string, known?: readonly string[]): FactAnswer {
  const readings = factsNamed(citableFacts(facts), asked);
  return {
    name: factName(asked),
    readings: readings.toSorted((a, b) => b.confidence - a.confidence),
    known: readings.length > 0 ? [] : (known ?? factNames(facts)).slice(0, MOST_KNOWN),
  };
}
