import type { JsonObject } from '@casefile/contracts';
import type { Conversation } from './conversation.js';
import { isCut } from './observations.js';
import { judge } from './judge.js';

/** Returns the arguments of the final call: the judgement, with exact quotes and the facts as read. */
export function finishArgs(conversation: Conversation): JsonObject {
  const nothing = conversation.nodes.length === 0 && conversation.spans.length === 0;
  if (nothing) return nothingFound(conversation);
  const { status, confidence, why, spans, facts } = judge(conversation);
  const missing = conversation.missing.map((name) => ({ kind: 'absence', of: 'fact', asked: name }));
  return {
    status,
    confidence,
    rationale: `Simulated answer, made by rules and not by a language model: ${why}.`,
    citations: [
      ...spans.slice(0, 2).map(({ nodeId, text, page }) => {
        return { kind: 'quote', nodeId, quote: text, ...(page !== null && { page }) };
      }),
      // The value of a cut reading is not the value of the fact.
      ...facts
        .filter(({ value }) => typeof value !== 'string' || !isCut(value))
        .map(({ id, value, unit }) => {
          return { kind: 'fact', fact: id, value, ...(unit !== null && { unit }) };
        }),
      ...(status === 'UNCERTAIN' ? missing.slice(0, 2) : []),
    ],
  };
}

function nothingFound({ done, missing }: Conversation): JsonObject {
  const queries = done.flatMap(({ name, args, observation }) =>
    name === 'pi_search' && typeof args.query === 'string' && observation !== null ? [args.query] : [],
  );
  return {
    status: 'UNCERTAIN',
    confidence: 0.3,
    rationale: 'Simulated answer, made by rules and not by a language model: nothing was found to go by.',
    citations: [
      ...queries.slice(-1).map((query) => ({ kind: 'absence', of: 'policy', asked: query })),
      ...missing.slice(0, 2).map((name) => ({ kind: 'absence', of: 'fact', asked: name })),
    ],
  };
}
