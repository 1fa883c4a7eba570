import type { DraftParts } from '../../strategy.js';

const SAID = 'The message was not judged: nothing could say whether it is a scam, so it is left alone.';

/** What is answered when nothing can be answered: no scam, no confidence. The policy marks it as degraded. S3-41. */
export function safeDefault(said = SAID): DraftParts {
  return {
    answer: {
      isScam: false,
      confidence: 0,
      primaryCategory: null,
      reasoning: said,
      matchedPatterns: [],
      redFlags: [],
      legitimacyIndicators: [],
    },
    explanation: said,
    claims: [],
    evidenceUsed: [],
    confidence: 0,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: ['safe_default'],
  };
}
