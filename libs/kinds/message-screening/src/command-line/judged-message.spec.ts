import type { CaseDocument } from '@casefile/contracts';
import { toJudgedMessage } from './measures.js';

const message = { id: 'a', text: 'hi', language: 'en', isScam: true, category: 'kyc' };
const outcome = {
  action: 'engage',
  scamDetected: true,
  confidence: 0.9,
  category: 'kyc',
  mode: 'normal',
  language: 'en',
};
const items = [{ toolName: 'find_similar_scams', success: true, result: { matches: [{ category: 'kyc' }] } }];
const documentOf = (verdict: object | null) =>
  ({
    runs: [
      {
        verdict,
        artifacts: [{ artifact: 'evidence', body: { items } }],
        interactions: [
          { costUsd: 0.25, latencyMs: 40, usage: { inputTokens: 10, outputTokens: 5 } },
          { costUsd: null, latencyMs: null, usage: { inputTokens: 1, outputTokens: 0 } },
        ],
      },
    ],
  }) as unknown as CaseDocument;

describe('results', () => {
  it('hold the outcome of a case and its label', () => {
    expect(toJudgedMessage(message, 'k', documentOf({ outcome, degraded: false }), 70)).toEqual({
      key: 'k',
      id: 'a',
      language: 'en',
      isScam: true,
      category: 'kyc',
      action: 'engage',
      degraded: false,
      said: { isScam: true, confidence: 0.9, category: 'kyc' },
      routed: { language: 'en', mode: 'normal' },
      matches: ['kyc'],
      costUsd: 0.25,
      unpriced: 1,
      calls: 2,
      tokens: 16,
      modelMs: 40,
      totalMs: 70,
    });
    expect(toJudgedMessage(message, 'k', documentOf(null), 70)).toMatchObject({
      action: null,
      said: null,
      degraded: true,
    });
  });
});
