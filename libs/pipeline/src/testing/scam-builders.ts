import type { Brief, ClaimAnswer, Draft, Evidence, EvidenceItem, Json, Review } from '@casefile/contracts';
import type { ReasonInput } from '../strategy.js';

export function aBrief(over: Partial<Brief> = {}): Brief {
  return {
    text: 'Your parcel is held. Pay at https://parcel-fee.example/pay or call +44 7700 900123.',
    textSource: 'text',
    entities: {
      phone: ['+447700900123'],
      url: ['https://parcel-fee.example/pay'],
      domain: ['parcel-fee.example'],
    },
    given: [],
    collect: true,
    receivedAt: '2026-01-05T10:00:00.000Z',
    notes: [],
    ...over,
  };
}

/** Items with ids `E1`, `E2`, ... in their order. */
export function evidenceOf(...items: Partial<EvidenceItem>[]): Evidence {
  return { items: items.map((item, i) => ({ ...anItem(), id: `E${i + 1}`, ...item })) };
}

function anItem(): EvidenceItem {
  return {
    id: 'E1',
    toolName: 'scam_db',
    entityType: 'phone',
    entityValue: '+447700900123',
    result: {},
    success: true,
    source: 'test',
    at: '2026-01-05T10:00:01.000Z',
    durationMs: 5,
  };
}

export const reports = (reportCount: Json, over: object = {}): Partial<EvidenceItem> => ({
  toolName: 'scam_db',
  result: {
    found: true,
    reportCount,
    riskScore: 92,
    firstReportedAt: '2025-11-01T00:00:00Z',
    lastReportedAt: '2026-01-03T10:00:00Z',
    ...over,
  },
});

export const complaints = (count: number): Partial<EvidenceItem> => ({
  toolName: 'exa_search',
  result: {
    results: Array.from({ length: count }, (_, i) => ({
      title: `Complaint ${i + 1}`,
      url: `https://forum.example/${i + 1}`,
      published: null,
      snippet: 'They asked me to pay',
    })),
  },
});

export const domainRisk = (riskLevel: Json, virustotalMalicious = 9): Partial<EvidenceItem> => ({
  toolName: 'domain_reputation',
  entityType: 'domain',
  entityValue: 'parcel-fee.example',
  result: { riskLevel, virustotalMalicious, ageDays: 12, listed: null },
});

export const phoneCheck = (
  suspicious: Json,
  suspiciousReason = 'all digits are zero',
): Partial<EvidenceItem> => ({
  toolName: 'phone_validator',
  result: { suspicious, suspiciousReason, numberType: 'MOBILE', country: 'GB' },
});

/** Returns findings of the rules over the text: signs of these kinds, each of weight 1. */
export const textSignals = (...kinds: string[]): Partial<EvidenceItem> => ({
  toolName: 'text_signals',
  entityType: '',
  entityValue: '',
  source: 'rules over the text',
  result: {
    signals: kinds.map((kind) => ({ kind, words: ['pay now'], language: 'en' })),
    notes: [],
    legitimacy: [],
    nearestPatterns: [],
    count: kinds.length,
    weight: kinds.length,
  },
});

export const failedItem = (toolName: string, reason = 'not_configured'): Partial<EvidenceItem> => ({
  toolName,
  result: null,
  success: false,
  reason,
  message: 'no key is set',
});

export function anInput(evidence: Evidence = { items: [] }, brief: Partial<Brief> = {}): ReasonInput {
  return { brief: aBrief(brief), evidence, previous: {} };
}

export function aDraft(over: Partial<Draft> = {}): Draft {
  return {
    answer: { riskLevel: 'high', confidence: 85, explanation: 'Many reports [E1].', evidenceUsed: ['E1'] },
    explanation: 'Many reports [E1].',
    claims: [],
    evidenceUsed: ['E1'],
    confidence: 0.85,
    confidenceSource: 'llm',
    method: 'llm',
    strategy: 'single-shot',
    remarks: [],
    ...over,
  };
}

/** A review whose second model question gave this answer to the conclusion about a message. */
export function anExaminedReview(answer: ClaimAnswer, over: Partial<Review> = {}): Review {
  const quote = answer === 'not_in_it' ? null : { source: 'message', words: 'Your parcel is held' };
  const claim = { id: 'C1', text: 'The message is part of a scam.', sources: ['message'], answer, quote };
  return aReview({ crossExamination: { claims: [claim], failed: null, promptId: 'test@1' }, ...over });
}

export function aReview(over: Partial<Review> = {}): Review {
  return { ruling: 'PASS', findings: [], reviewer: 'mechanical', ...over };
}
