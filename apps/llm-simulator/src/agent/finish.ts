import type { JsonObject } from '@casefile/contracts';
import { shared, stemsOf } from './content-words.js';
import type { Conversation } from './conversation.js';
import { isCut, type FoundSpan } from './observations.js';

/** A reading below this is not cited: an answer by it is not given either (S4-22). */
const LEAST_READING = 0.65;
const MOST_FACTS = 3;
const SAID = 'Simulated answer, made by rules and not by a language model';

/**
 * Returns the arguments of the call that ends the check. The agent judges nothing: it quotes the words that share the most
 * with the criterion, cites the facts that it read, and says MET if it has both. Tests that need another answer script it.
 */
export function finishArgs(known: Conversation): JsonObject {
  const [quoted] = bestWords(known);
  if (quoted === undefined) return nothingFound(known);
  const facts = known.readings.filter(({ confidence }) => (confidence ?? 1) >= LEAST_READING);
  const cited = facts
    .slice(0, MOST_FACTS)
    .filter(({ value }) => !(typeof value === 'string' && isCut(value)));
  const status = facts.length > 0 ? 'MET' : 'UNCERTAIN';
  return {
    status,
    confidence: status === 'MET' ? 0.8 : 0.5,
    rationale: `${SAID}: ${facts.length} facts and the words of section ${quoted.nodeId} speak of it.`,
    citations: [
      quoteOf(quoted),
      ...cited.map(({ id, value, unit }) => ({
        kind: 'fact',
        fact: id,
        value,
        ...(unit !== null && { unit }),
      })),
      ...(status === 'UNCERTAIN' ? absences(known) : []),
    ],
  };
}

function quoteOf({ nodeId, text, page }: FoundSpan): JsonObject {
  return { kind: 'quote', nodeId, quote: text, ...(page !== null && { page }) };
}

function absences({ missing }: Conversation): JsonObject[] {
  return missing.slice(0, 2).map((asked) => ({ kind: 'absence', of: 'fact', asked }));
}

function nothingFound(known: Conversation): JsonObject {
  const searched = known.done.flatMap(({ name, args, said }) =>
    name === 'pi_search' && typeof args.query === 'string' && said !== null ? [args.query] : [],
  );
  return {
    status: 'UNCERTAIN',
    confidence: 0.3,
    rationale: `${SAID}: nothing was found to go by.`,
    citations: [
      ...searched.slice(-1).map((query) => ({ kind: 'absence', of: 'policy', asked: query })),
      ...absences(known),
    ],
  };
}

/** Returns the exact words that are known: of sections that were tightened the spans, of others their sentences. */
export function wordsShown({ spans, nodes }: Pick<Conversation, 'spans' | 'nodes'>): FoundSpan[] {
  const tightened = new Set(spans.map(({ nodeId }) => nodeId));
  return [...spans, ...nodes.filter(({ nodeId }) => !tightened.has(nodeId)).flatMap(sentencesOf)];
}

function sentencesOf({ nodeId, page, text }: FoundSpan): FoundSpan[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => stemsOf(sentence).size > 2);
  return sentences.map((sentence) => ({ nodeId, page, text: sentence.trim() }));
}

function bestWords(known: Conversation): FoundSpan[] {
  const topic = stemsOf(known.criterion);
  return wordsShown(known)
    .map((span) => ({ span, score: shared(stemsOf(span.text), topic) }))
    .sort((a, b) => b.score - a.score)
    .map(({ span }) => span);
}
