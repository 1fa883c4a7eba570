import type { AlertInput, Verdict } from '@casefile/contracts';

/** An alert and its verdict, for API documents: a suspicious text. */
export const exampleCase: { alert: AlertInput; verdict: Verdict } = {
  alert: {
    playbook: 'scam-verdict',
    text: 'Your parcel is held. Pay the fee at https://parcel.example/pay',
    source: 'sms-gateway',
  },
  verdict: {
    outcome: { riskLevel: 'high' },
    disposition: 'act',
    confidence: 0.91,
    confidenceSource: 'llm',
    method: 'llm',
    reasons: ['The number was reported as a scam ten times [E1].'],
    citations: ['E1'],
    degraded: false,
    degradedBy: [],
    degradedNote: '',
    decidedAt: '2026-01-05T10:00:09.000Z',
  },
};
