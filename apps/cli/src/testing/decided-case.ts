import { verdictSchema } from '@casefile/contracts';
import type { ShownCase } from '../client/console-client.js';

/** A case with one run and its verdict. Its untrusted texts contain terminal escapes. */
export function decidedCase(caseId: string, runId: string): ShownCase {
  const verdict = verdictSchema.parse({
    outcome: { riskLevel: 'high' },
    disposition: 'act',
    confidence: 0.9,
    confidenceSource: 'llm',
    method: 'llm',
    reasons: ['Because \u001b[31mit says so.'],
    citations: [],
    degraded: false,
    decidedAt: '2026-01-05T10:00:00Z',
  });
  const run = {
    id: runId,
    alertId: 'a',
    status: 'decided',
    stage: null,
    round: 1,
    lane: 'live',
    reasonCode: null,
    message: null,
    verdict,
    presentation: { word: 'scam', answer: 'high risk', confidenceApplies: true, summary: '' },
    settings: { provider: 'openai' },
    artifacts: [],
    evidence: [],
    toolCalls: [],
    interactions: [],
    trace: [],
    units: [],
    cost: {
      usd: 0.01,
      inputTokens: 10,
      outputTokens: 2,
      reasoningTokens: 0,
      cachedTokens: 0,
      interactions: 1,
      unpriced: 0,
    },
  };
  const alerts = [
    {
      id: 'a',
      playbook: 'scam-verdict',
      text: 'Pay now\u001b[2J',
      displayTitle: 'Pay now\u001b[2J',
      receivedAt: '2026-01-05T10:00:00Z',
    },
  ];
  return {
    id: caseId,
    playbook: 'scam-verdict',
    status: 'decided',
    createdAt: '',
    updatedAt: '',
    alertCount: 1,
    alerts,
    runs: [run],
  } as unknown as ShownCase;
}
