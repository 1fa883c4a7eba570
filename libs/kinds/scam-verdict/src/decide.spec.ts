import {
  degradedCauseOf,
  verdictSchema,
  type Brief,
  type Draft,
  type Evidence,
  type EvidenceItem,
  type Review,
  type Verdict,
} from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { heuristic } from './heuristic.js';
import {
  aBrief,
  aDraft,
  anExaminedReview,
  anInput,
  aReview,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { evidenceOf, failedItem as failed, reports } from '@casefile/pipeline/testing/scam-builders';
import { riskLevel } from './decide.js';

type Parts = {
  brief?: Partial<Brief>;
  evidence?: Evidence;
  draft?: Partial<Draft>;
  review?: Partial<Review>;
};
const at = '2026-01-05T10:00:09.000Z';
const unit = ({ brief, evidence, draft, review }: Parts = {}) => ({
  unit: '',
  brief: aBrief(brief),
  evidence: evidence ?? evidenceOf(reports(47)),
  draft: aDraft(draft),
  review: aReview(review),
  report: { title: '', markdown: '', citations: [] },
});
const decide = (parts: Parts = {}) => riskLevel.decide([unit(parts)], aRunSettings(), at);
const answer = (level: string, over: object = {}) => ({
  answer: { riskLevel: level, confidence: 85, ...over },
});

describe('the policy risk-level', () => {
  it('S1-26 gives level, confidence, explanation, evidence and how it was reasoned', () => {
    const verdict = decide({ draft: { evidenceUsed: ['E1', 'E9'] } });
    expect(verdict.outcome).toEqual({
      riskLevel: 'high',
      confidence: 85,
      explanation: 'Many reports [E1].',
      evidenceUsed: ['E1', 'E9'],
      reasoningMethod: 'llm',
    });
    expect(verdict).toMatchObject({
      confidence: 0.85,
      confidenceSource: 'llm',
      method: 'llm',
      citations: ['E1'],
      degraded: false,
      decidedAt: at,
    });
    expect(verdictSchema.safeParse(verdict).success).toBe(true);
  });

  it.each([
    ['high', 'act'],
    ['medium', 'review'],
    ['low', 'dismiss'],
  ])('S1-26 %s -> %s', (level, disposition) => {
    const read = { brief: { entities: {} }, evidence: evidenceOf(textSignals()) };
    const verdict = decide({ draft: answer(level), ...(level === 'low' ? read : {}) });
    expect(verdict).toMatchObject({ disposition, outcome: { riskLevel: level } });
  });

  it.each(['high', 'medium', 'low'])(
    'S1-27 a warning sends %s to review; the confidence stays as answered, and the level unless it is low',
    (level) => {
      const findings = [{ id: 'x:1', code: 'x', message: 'The draft states a figure' }];
      const verdict = decide({ draft: answer(level), review: { ruling: 'WARN', findings } });
      expect(verdict).toMatchObject({
        disposition: 'review',
        confidence: 0.85,
        outcome: { riskLevel: level === 'low' ? 'unconfirmed' : level, confidence: 85 },
      });
      expect(verdict.reasons).toContain('The draft states a figure');
    },
  );

  it('S1-25 a fallback is degraded and says why; without a provider it says that none is configured', () => {
    const verdict = decide({ draft: { method: 'heuristic', fallbackReason: 'timeout' } });
    expect(verdict).toMatchObject({ degraded: true, degradedBy: ['timeout'], degradedNote: 'timeout' });
    expect(verdict.reasons.join(' ')).toContain('for it did not answer in time: the heuristic decided');
    const none = decide({ draft: { method: 'heuristic', fallbackReason: 'no_provider' } });
    expect(none).toMatchObject({
      degraded: false,
      degradedBy: [],
      method: 'heuristic',
      outcome: { reasoningMethod: 'heuristic' },
    });
    expect(none.reasons).toContain('No language model is configured: the heuristic decided.');
  });

  it('S1-40 the heuristic that was chosen is not degraded; its raw score is kept', () => {
    const evidence = evidenceOf(reports(47), reports(47), reports(47));
    const verdict = decide({ evidence, draft: { ...heuristic(anInput(evidence)), strategy: 'heuristic' } });
    expect(verdict).toMatchObject({
      degraded: false,
      disposition: 'act',
      outcome: { score: 120, confidence: 100 },
    });
  });

  it('S1-60 S1-15 all tools failed is a valid state: a verdict, degraded, with the gaps counted', () => {
    const verdict = decide({
      evidence: evidenceOf(failed('scam_db', 'timeout'), failed('exa_search', 'network')),
      draft: answer('low'),
    });
    expect(verdict).toMatchObject({
      degraded: true,
      disposition: 'review',
      degradedBy: ['lookups_failed'],
      degradedNote: '2 of 2 look-ups failed',
    });
    expect(verdict.reasons).toContain('2 of 2 questions to the tools have no answer.');
  });

  const signals = (...found: string[]) => ({
    toolName: 'text_signals',
    entityType: 'text',
    entityValue: '',
    result: {
      signals: found.map((kind) => ({ kind, words: ['now'], language: 'en' })),
      nearestPatterns: [],
      count: found.length,
    },
  });
  const near = (level: string) => ({
    ...signals(),
    result: {
      signals: [],
      nearestPatterns: [{ number: 1, category: 'kyc', similarity: 0.7, level }],
      count: 0,
    },
  });
  const clean = signals();
  const about = (entityType: string, entityValue: string, item: object) => ({
    ...item,
    entityType,
    entityValue,
  });
  const domain = (result: object) =>
    about('domain', 'shop.example', {
      toolName: 'domain_reputation',
      result: { riskLevel: 'low', virustotalMalicious: null, ageDays: null, listed: null, ...result },
    });
  const phone = (result: object) =>
    about('phone', '+447700900123', {
      toolName: 'phone_validator',
      result: { suspicious: false, suspiciousReason: null, numberType: 'mobile', country: 'GB', ...result },
    });
  const unknown = (type: string, value: string) =>
    about(type, value, { toolName: 'scam_db', result: { found: false, reportCount: 0, riskScore: 0 } });
  const link = { domain: ['shop.example'], url: ['https://www.shop.example/a'] };
  const caller = { phone: ['+447700900123'] };
  const old = domain({ ageDays: 365 });

  it.each<[string, Brief['entities'], Partial<EvidenceItem>[], Verdict['disposition']]>([
    ['names nothing and shows nothing', {}, [clean], 'dismiss'],
    ['was not looked at by text_signals', {}, [], 'review'],
    ['has a text_signals without its answer', {}, [failed('text_signals')], 'review'],
    ['has a text_signals that cannot be read', {}, [{ ...clean, result: { signals: 'none' } }], 'review'],
    ['shows a sign of a scam', {}, [signals('asks_for_money')], 'review'],
    ['is close to a known pattern', {}, [near('MEDIUM')], 'review'],
    ['is very close to a known pattern', {}, [near('HIGH')], 'review'],
    ['is a little like a known pattern', {}, [near('LOW')], 'dismiss'],
    ['is on the allow list', link, [clean, domain({ listed: 'allow' })], 'dismiss'],
    ['was registered a year ago', link, [clean, old], 'dismiss'],
    ['was registered 364 days ago', link, [clean, domain({ ageDays: 364 })], 'review'],
    ['is never called malicious', link, [clean, domain({ virustotalMalicious: 0 })], 'dismiss'],
    ['was asked about without an answer of worth', link, [clean, domain({})], 'review'],
    ['is old but of medium risk', link, [clean, domain({ ageDays: 900, riskLevel: 'medium' })], 'review'],
    ['is old and reported', link, [clean, old, about('domain', 'shop.example', reports(2))], 'review'],
    [
      'is not in the scam database, which clears nothing',
      link,
      [clean, unknown('domain', 'shop.example')],
      'review',
    ],
    ['has a tool without its key', link, [clean, failed('domain_reputation')], 'review'],
    ['has another domain cleared', { domain: ['a.example', 'shop.example'] }, [clean, old], 'review'],
    ['has a link without a domain', { url: ['http://192.0.2.1/pay'] }, [clean], 'review'],
    ['names a phone number that could be a person', caller, [clean, phone({})], 'dismiss'],
    ['names a phone number that no tool checked', caller, [clean], 'review'],
    ['names a suspicious phone number', caller, [clean, phone({ suspicious: true })], 'review'],
    ['names a phone number of no known kind', caller, [clean, phone({ numberType: 'unknown' })], 'review'],
    ['names a payment handle', { payment: ['a@ybl'] }, [clean, unknown('payment', 'a@ybl')], 'review'],
    ['the sender alone says is clean', {}, [{ ...clean, given: true }], 'review'],
    ['names what the sender alone cleared', link, [clean, { ...old, given: true }], 'review'],
    ['names a crypto address', { crypto: ['bc1q'] }, [clean, unknown('crypto', 'bc1q')], 'review'],
  ])('S1-17 (b) with no model configured a low that %s', (_, entities, items, disposition) => {
    const draft = { ...answer('low'), method: 'heuristic' as const, fallbackReason: 'no_provider' };
    const verdict = decide({ brief: { entities }, evidence: evidenceOf(...items), draft });
    expect(verdict).toMatchObject({ disposition, degraded: false, degradedBy: [], method: 'heuristic' });
    expect(verdict.outcome).toMatchObject({
      riskLevel: disposition === 'dismiss' ? 'low' : 'unconfirmed',
      confidence: 85,
    });
    const { fallbackReason: _reason, ...chosen } = draft;
    expect(decide({ brief: { entities }, evidence: evidenceOf(...items), draft: chosen })).toMatchObject({
      disposition,
    });
  });

  it('S1-17 (b) the age from which a domain counts as cleared is a setting', () => {
    const parts = {
      brief: aBrief({ entities: link }),
      evidence: evidenceOf(clean, domain({ ageDays: 100 })),
      draft: aDraft({ ...answer('low'), method: 'heuristic' }),
    };
    const at90 = aRunSettings({ options: { domainClearedFromDays: 90 } });
    expect(riskLevel.decide([{ ...unit(), ...parts }], at90, at).disposition).toBe('dismiss');
    expect(riskLevel.decide([{ ...unit(), ...parts }], aRunSettings(), at).disposition).toBe('review');
  });

  it('S1-17 (c) says after a failure too which signs of a scam the text shows', () => {
    const draft = { ...answer('low'), method: 'heuristic' as const, fallbackReason: 'circuit_open' };
    const { reasons } = decide({ draft, evidence: evidenceOf(signals('asks_money')) });
    expect(reasons.join(' ')).toMatch(/something was missing: model out.*shows signs of a scam/);
    const model = decide({ draft: answer('low'), evidence: evidenceOf(signals('asks_money')) });
    expect(model.reasons.join(' ')).not.toContain('shows signs');
  });

  it('S1-17 (b) says what stood against a dismissal', () => {
    const draft = { ...answer('low'), method: 'heuristic' as const };
    const evidence = evidenceOf(signals('asks_for_money', 'deadline'));
    const { reasons } = decide({ brief: { entities: link }, evidence, draft });
    expect(reasons[0]).toBe('The text itself shows signs of a scam: asks for money, sets a deadline.');
    expect(reasons).toContain(
      'No source has cleared what the text names: https://www.shop.example/a, shop.example.',
    );
  });

  const failures =
    'server_error circuit_open timeout budget_exhausted invalid_answer refused cut_answer bad_key';
  it.each([...failures.split(' '), 'a_code_nobody_has_seen'])(
    'S1-17 (c) after %s a low of the heuristic is never dismissed, whatever was found',
    (fallbackReason) => {
      const draft = { ...answer('low'), method: 'heuristic' as const, fallbackReason };
      const verdict = decide({ brief: { entities: {} }, evidence: evidenceOf(clean), draft });
      expect(verdict).toMatchObject({
        disposition: 'review',
        degraded: true,
        degradedBy: [degradedCauseOf(fallbackReason)],
        outcome: { riskLevel: 'unconfirmed', confidence: 85 },
      });
      expect(verdict.degradedNote).not.toBe('');
    },
  );

  it.each<[string, Partial<EvidenceItem>[], Verdict['disposition'], string]>([
    ['nothing was looked up', [], 'dismiss', ''],
    ['tools have no key', [failed('scam_db'), failed('exa_search')], 'dismiss', ''],
    ['a look-up ran out of time', [failed('scam_db', 'timeout'), clean], 'review', '1 of 2 look-ups failed'],
    [
      'a look-up failed, another has no key',
      [failed('a', 'network'), failed('b')],
      'review',
      '1 of 1 look-ups failed',
    ],
    ['the text shows signs that the model has weighed', [signals('deadline')], 'dismiss', ''],
  ])(
    'S1-17 (a) a low of the model that a second question supports, where %s',
    (_, items, disposition, degradedNote) => {
      const verdict = decide({
        brief: { entities: {} },
        evidence: evidenceOf(...items),
        draft: answer('low'),
        review: anExaminedReview('supports'),
      });
      expect(verdict).toMatchObject({
        disposition,
        degradedNote,
        degraded: degradedNote !== '',
        method: 'llm',
      });
    },
  );

  it('S1-17 high and medium go as they did, degraded or not', () => {
    const after = { method: 'heuristic' as const, fallbackReason: 'timeout' };
    expect(decide({ draft: { ...answer('high'), ...after } })).toMatchObject({
      disposition: 'act',
      degraded: true,
    });
    expect(decide({ draft: { ...answer('medium'), ...after } }).disposition).toBe('review');
  });

  it('S1-01 where no text could be read nothing was judged: a person looks at it', () => {
    const verdict = decide({ brief: { text: '', textSource: 'none' }, draft: answer('low') });
    expect(verdict).toMatchObject({ disposition: 'review', degraded: true });
  });

  it('S1-23 says what was set right in the answer', () => {
    const missing = decide({ draft: { remarks: ['confidence_missing'] } });
    expect(missing.degraded).toBe(true);
    expect(missing.reasons.join(' ')).toContain('50 was taken');
  });

  it('takes the riskiest of several units, and refuses none at all or an answer that is not its own', () => {
    const units = [unit({ draft: answer('low') }), unit({ draft: answer('medium') })];
    const verdict = riskLevel.decide(units, aRunSettings(), at);
    expect(verdict.outcome['riskLevel']).toBe('medium');
    const refusal = (reasonCode: string) => expect.objectContaining({ reasonCode });
    expect(() => riskLevel.decide([], aRunSettings(), at)).toThrow(refusal('no_units'));
    expect(() => decide({ draft: { answer: {} } })).toThrow(refusal('bad_draft'));
  });
});
