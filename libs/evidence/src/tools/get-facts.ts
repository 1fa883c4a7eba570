import {
  factSchema,
  z,
  type CitableFact,
  type Tool,
  citableFacts,
  factName,
  factNames,
  factsNamed,
  type Fact,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const NAME = 'facts_get';
const asks = z.strictObject({
  name: z.string().trim().min(1).max(200).describe('In any spelling'),
});
const args = asks.extend({
  /** All facts of the case, or only those with this name. */
  facts: z.array(factSchema).max(1_000),
  /** Names of all facts of the case, if `facts` is only a selection. Default: the names of `facts`. */
  known: z.array(z.string().max(400)).max(1_000).optional(),
});

/**
 * Returns the tool that reads a fact of the case by its name. Result `{ name, found, readings: [{ factId,
 * name, value, unit, confidence, document, page, box }], known }`. If no fact has the name, the call succeeds
 * with `found: 0`, and `known` lists the existing names.
 */
export function getFacts(settings: Pick<EvidenceSettings, 'limits'>): Tool {
  return {
    name: NAME,
    description: 'Reads a fact of the case by its name.',
    locality: 'local',
    reads: 'nothing',
    entityTypes: [],
    args,
    asks,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 100 }, settings),
    async run(input, { signal }) {
      signal.throwIfAborted();
      const { name: wantedName, facts, known: names } = args.parse(input);
      const { name, readings, known } = findFact(facts, wantedName, names);
      return {
        result: { name, found: readings.length, readings: readings.map(citableFactReading), known },
        source: 'case facts',
      };
    },
  };
}

function citableFactReading({ id, name, value, unit, confidence, document, page, box }: CitableFact) {
  const place = { document: document ?? null, page: page ?? null, box: box === undefined ? null : [...box] };
  return { factId: id, name, value, unit: unit ?? null, confidence, ...place };
}

interface FactAnswer {
  /** The requested name. */
  name: string;
  /** Every reading of the fact, the surest first. */
  readings: CitableFact[];
  /** Existing names, so that the model can choose another; empty if a fact was found. */
  known: string[];
}

/** Maximum number of names in `known`. */
const MOST_KNOWN = 100;

/**
 * Finds the facts of a case by a name in any spelling, or by a citation's id.
 * @param known all names. Default: those of `facts`.
 */
export function findFact(facts: readonly Fact[], name: string, known?: readonly string[]): FactAnswer {
  const readings = factsNamed(citableFacts(facts), name);
  return {
    name: factName(name),
    readings: readings.toSorted((a, b) => b.confidence - a.confidence),
    known: readings.length > 0 ? [] : (known ?? factNames(facts)).slice(0, MOST_KNOWN),
  };
}
