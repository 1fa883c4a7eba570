import type { Brief, Evidence, EvidenceItem, Json } from '@casefile/contracts';
import type { ReasonInput } from '@casefile/pipeline/strategy';
import { aBrief, evidenceOf } from '@casefile/pipeline/testing/scam-builders';

/** An answer as a model is asked for it. */
export const aScreeningAnswer = (over: Record<string, Json> = {}) => ({
  isScam: true,
  confidence: 0.9,
  primaryCategory: 'kyc_banking',
  reasoning: 'It threatens to block the account and asks for a code.',
  matchedPatterns: [1],
  redFlags: ['threat of a blocked account', 'asks for a code', 'link to a strange address'],
  legitimacyIndicators: [],
  ...over,
});

export const aMatch = (over: Record<string, Json> = {}) => ({
  number: 1,
  similarity: 0.9174,
  level: 'HIGH',
  patternId: 'kyc-expired',
  title: 'Account blocked for missing KYC',
  category: 'kyc_banking',
  scamType: 'credential_theft',
  language: 'en',
  text: 'Dear customer, your account is blocked for missing KYC. Update at the link today.',
  redFlags: ['threat'],
  ...over,
});

export const similarScams = (...matches: Json[]): Partial<EvidenceItem> => ({
  toolName: 'find_similar_scams',
  entityType: 'message',
  entityValue: 'Your account',
  source: 'scam patterns',
  result: { matches, patterns: 72, knowledgeVersion: '1', embeddingModel: 'fake' },
});

export const aMessage = (over: Partial<Brief> = {}): Brief =>
  aBrief({
    text: 'Dear customer, your KYC has expired. Your account is blocked today, verify at http://kyc-update.example/otp',
    mode: 'normal',
    language: { code: 'en', certainty: 0.93 },
    entities: {},
    ...over,
  });

export function aScreeningInput(
  evidence: Evidence = evidenceOf(similarScams(aMatch())),
  brief: Partial<Brief> = {},
): ReasonInput {
  return { brief: aMessage(brief), evidence, previous: {} };
}
