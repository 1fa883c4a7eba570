import type { JsonObject } from '@casefile/contracts';
import { countShared, textStems } from './content-words.js';
import type { Conversation } from './conversation.js';
import { isCut, wordsShown } from './observations.js';
import type { FoundSpan } from './observations.js';
import type { PolicyAnswer } from './policy-answers.js';

const BY_RULES = 'Simulated answer, made by rules and not by a language model';
const SCRIPTED = 'Simulated answer, scripted and not made by a language model';

/**
 * Returns the arguments of the final call: the scripted answer if there is one. Otherwise the status is MET,
 * with the found sentence that shares the most words with the criterion, or UNCERTAIN if none shares a word.
 */
export function finishArgs(conversation: Conversation): JsonObject {
  const { scripted } = conversation;
  if (scripted !== undefined) return scriptedArgs(scripted, conversation);
  const best = bestSentence(conversation);
  if (best === undefined) return nothingFound(conversation);
  return {
    status: 'MET',
    confidence: 0.8,
    rationale: `${BY_RULES}: the policy says "${best.text}"`,
    citations: [quoteCitation(best)],
  };
}

function scriptedArgs(answer: PolicyAnswer, conversation: Conversation): JsonObject {
  const { status, confidence, rationale, quotes, facts } = answer;
  const spans = quotes?.map((quote) => spanWith(quote, conversation)) ?? [bestSentence(conversation)];
  const readings = facts
    .flatMap((name) => conversation.readings.filter((reading) => reading.name === name))
    // The value of a cut reading is not the value of the fact.
    .filter(({ value }) => typeof value !== 'string' || !isCut(value));
  return {
    status,
    confidence,
    rationale: rationale === undefined ? `${SCRIPTED}.` : `${SCRIPTED}: ${rationale}`,
    citations: [
      ...spans.filter((span) => span !== undefined).map(quoteCitation),
      ...readings.map(({ id, value, unit }) => ({
        kind: 'fact',
        fact: id,
        value,
        ...(unit !== null && { unit }),
      })),
      ...(status === 'UNCERTAIN' ? absentFacts(conversation) : []),
    ],
  };
}

function nothingFound(conversation: Conversation): JsonObject {
  const { done, nodes, spans } = conversation;
  const queries = done.flatMap(({ name, args, observation }) =>
    name === 'pi_search' && typeof args.query === 'string' && observation !== null ? [args.query] : [],
  );
  // A search that found a section proves no absence.
  const vain = nodes.length === 0 && spans.length === 0 ? queries.slice(-1) : [];
  return {
    status: 'UNCERTAIN',
    confidence: 0.3,
    rationale: `${BY_RULES}: nothing was found to go by.`,
    citations: [
      ...vain.map((query) => ({ kind: 'absence', of: 'policy', asked: query })),
      ...absentFacts(conversation),
    ],
  };
}

/** Returns the first of the found sentences that share the most words with the criterion. */
function bestSentence(conversation: Conversation): FoundSpan | undefined {
  const topic = textStems(conversation.criterion);
  const [best] = wordsShown(conversation)
    .map((span) => ({ span, shared: countShared(textStems(span.text), topic) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared);
  return best?.span;
}

/** Returns the quote with the place where the agent found it; undefined: the agent did not find it. */
function spanWith(quote: string, { spans, nodes }: Conversation): FoundSpan | undefined {
  const place = [...spans, ...nodes].find(({ text }) => text.includes(quote));
  return place && { nodeId: place.nodeId, page: place.page, text: quote };
}

function quoteCitation({ nodeId, text, page }: FoundSpan): JsonObject {
  return { kind: 'quote', nodeId, quote: text, ...(page !== null && { page }) };
}

const absentFacts = ({ missing }: Conversation): JsonObject[] =>
  missing.slice(0, 2).map((name) => ({ kind: 'absence', of: 'fact', asked: name }));
