import type { BatchAsk } from '@casefile/contracts';
import { requestInWords, casesInWords } from './batch-words.js';

describe('what was asked of a batch, in words', () => {
  it.each<[BatchAsk, string]>([
    [{ filter: { playbook: 'scam-verdict', degraded: true } }, 'cases with kind scam-verdict, degraded true'],
    [{ filter: {} }, 'all cases'],
    [{ caseIds: ['a'] }, '1 named case'],
    [{ dataset: 'messages' }, 'data set messages'],
    [{ degradedSince: '2026-01-05T10:00:00Z' }, 'degraded since 2026-01-05T10:00:00Z'],
  ])('S4-62 names the cases of %j', (ask, words) => expect(casesInWords({ ask, total: 1 })).toBe(words));

  it.each<[BatchAsk, string]>([
    [{ filter: {} }, 'on recorded evidence, with the current settings'],
    [{ filter: {}, lane: 'replay' }, 'only from stored answers, with the original settings'],
    [
      {
        filter: {},
        evidence: 'fresh',
        settings: { provider: 'none', options: { actFrom: 0.9 } },
        budgetUsd: 2,
      },
      'on fresh evidence, with provider none, actFrom 0.9, for at most $2',
    ],
  ])('S4-62 says how %j judges them', (ask, words) => expect(requestInWords({ ask })).toBe(words));
});
