import { decide } from './testing/screening-decisions.js';
import {
  aBrief,
  evidenceOf,
  failedItem,
  phoneCheck,
  reports,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { aMatch, aScreeningInput, similarScams } from './testing/screening-builders.js';
import { afterFailure, BY_RULES, judgeByRules } from './judge-by-rules.js';
import { aRunSettings } from '@casefile/contracts/testing';

const judged = (...items: Parameters<typeof evidenceOf>) =>
  judgeByRules(aScreeningInput(evidenceOf(...items)));

/** What the tool says of a text in a language that the rules do not read. */
const unread = { ...textSignals(), result: { ...(textSignals().result as object), isRead: false } };

describe('S3-44 a message judged by rules', () => {
  it('is a scam from two plain signs on, with each of them as a red flag in words', () => {
    expect(judged(textSignals('asks_money', 'threat'))).toMatchObject({
      answer: {
        isScam: true,
        confidence: 0.55,
        primaryCategory: 'other',
        redFlags: ['asks for money ("pay now")', 'threatens with a loss, a block or a penalty ("pay now")'],
      },
      confidenceSource: 'heuristic',
      method: 'heuristic',
      evidenceUsed: ['E1'],
      remarks: [BY_RULES],
    });
    expect(judged(textSignals('asks_money')).answer).toMatchObject({ isScam: false, redFlags: [] });
  });

  it('counts known patterns and scam reports, and takes the category of the nearest pattern', () => {
    const near = similarScams(aMatch());
    expect(judged(textSignals('asks_money'), near)).toMatchObject({
      answer: { isScam: true, primaryCategory: 'kyc_banking', matchedPatterns: ['kyc-expired'] },
      evidenceUsed: ['E1', 'E2'],
    });
    expect(judged(textSignals(), near).answer).toMatchObject({ isScam: false });
    expect(judged(textSignals(), reports(3)).answer).toMatchObject({
      isScam: true,
      redFlags: ['scam reports on the phone it names'],
    });
    expect(judged(textSignals('asks_money'), similarScams(aMatch({ level: 'LOW' }))).answer).toMatchObject({
      isScam: false,
      matchedPatterns: [],
    });
  });

  it('shows an invented-looking number, which adds no weight: numbers of accounts look so too', () => {
    expect(judged(textSignals('asks_money'), phoneCheck(true)).answer).toMatchObject({ isScam: false });
    expect(judged(textSignals('asks_money', 'threat'), phoneCheck(true)).answer).toMatchObject({
      isScam: true,
      redFlags: expect.arrayContaining(['a bad result for the phone it names']) as unknown,
    });
  });

  it('takes the category that fits the signs, not that of a pattern with similar words', () => {
    const near = similarScams(aMatch({ category: 'lottery' }));
    expect(judged(textSignals('easy_income', 'other_channel'), near).answer).toMatchObject({
      isScam: true,
      primaryCategory: 'job_task',
    });
  });

  it('is more certain the more signs there are, and never quite', () => {
    const kinds = Array.from({ length: 12 }, (_, i) => `kind_${i}`);
    const confidences = kinds
      .map((_, i) => judged(textSignals(...kinds.slice(0, i + 1))).confidence)
      .slice(1);
    expect(confidences).toEqual([...confidences].sort((a, b) => a - b));
    expect(confidences.at(-1)).toBe(0.95);
  });

  it('S3-44 in a language that the rules do not read it is a scam by its link, or it is not judged', () => {
    expect(judged(unread)).toMatchObject({ remarks: ['safe_default', 'language_not_read'], confidence: 0 });
    expect(judged(unread).explanation).toContain('the rules do not read its language');
    expect(judged(unread, reports(3)).answer).toMatchObject({ isScam: true });
  });

  it('S3-44 goes by what was read, whatever language the message was routed as', () => {
    const input = aScreeningInput(evidenceOf(textSignals()));
    const language = { code: 'und', certainty: 0 };
    const judgement = judgeByRules({ ...input, brief: { ...input.brief, mode: 'strict', language } });
    expect(judgement).toMatchObject({ remarks: [BY_RULES], answer: { isScam: false } });
  });

  it('goes by its own reading of the text, not by one that the sender handed in', () => {
    const theirs = { ...textSignals(), given: true };
    expect(judged(theirs, textSignals('asks_money', 'threat')).answer).toMatchObject({ isScam: true });
    expect(judged(theirs).remarks).toEqual(['safe_default']);
  });

  it('S3-41 is not judged where its text was not read', () => {
    const unread = judged(failedItem('text_signals', 'timeout'), similarScams(aMatch()));
    expect(unread).toMatchObject({ answer: { isScam: false, confidence: 0 }, remarks: ['safe_default'] });
  });

  it('S3-41 a failure is not judged, unless the options ask for the rules', () => {
    const input = aScreeningInput(evidenceOf(textSignals('asks_money', 'threat')));
    const after = (options: object) => afterFailure(input, '', aRunSettings({ options: { ...options } }));
    expect(after({}).remarks).toEqual(['safe_default']);
    expect(after({ onFailure: 'ignore' }).remarks).toEqual(['safe_default']);
    expect(after({ onFailure: 'rules' }).answer).toMatchObject({ isScam: true });
  });

  it.each([
    ['normal', 3, 'probe', 'review'],
    ['normal', 4, 'engage', 'act'],
    ['normal', 1, 'ignore', 'review'],
    ['strict', 3, 'ignore', 'review'],
    ['strict', 4, 'probe', 'review'],
    ['strict', 5, 'engage', 'act'],
  ] as const)(
    'goes by the ordinary decision table, marked but not degraded: mode %s, %i signs, %s',
    (mode, count, action, disposition) => {
      const evidence = evidenceOf(textSignals(...Array.from({ length: count }, (_, i) => `kind_${i}`)));
      const draft = {
        ...judgeByRules(aScreeningInput(evidence)),
        strategy: 'rules',
        fallbackReason: 'no_provider',
      };
      const verdict = decide(mode, {}, { brief: aBrief({ mode }), evidence, draft });
      expect(verdict).toMatchObject({
        outcome: { action },
        disposition,
        degraded: false,
        method: 'heuristic',
        confidenceSource: 'heuristic',
      });
      expect(verdict.reasons.join(' ')).toContain('Judged by rules over the text');
    },
  );
});
