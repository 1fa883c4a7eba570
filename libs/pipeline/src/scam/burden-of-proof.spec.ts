import type { Brief, ClaimAnswer, EvidenceItem, Json, Review } from '@casefile/contracts';
import {
  aBrief,
  anExaminedReview,
  aReview,
  complaints,
  domainRisk,
  evidenceOf,
  phoneCheck,
  reports,
  textSignals,
} from '../testing/scam-builders.js';
import { proofOf, recordStance, type Conclusion } from './burden-of-proof.js';

const OPTIONS = { domainClearedFromDays: 365 };
const LINK = { url: ['https://parcel-fee.example/pay'], domain: ['parcel-fee.example'] };
const old: Partial<EvidenceItem> = {
  ...domainRisk('low', 0),
  result: { riskLevel: 'low', virustotalMalicious: 0, ageDays: 4_000, listed: null },
};
const unread = (): Partial<EvidenceItem> => {
  const read = textSignals();
  return { ...read, result: { ...(read.result as Record<string, Json>), isRead: false } };
};

interface Of {
  items?: Partial<EvidenceItem>[];
  brief?: Partial<Brief>;
  review?: Review;
}
const unit = ({ items = [textSignals()], brief = {}, review = aReview() }: Of) => ({
  brief: aBrief({ text: 'See you at noon.', entities: {}, ...brief }),
  evidence: evidenceOf(...items),
  draft: { method: 'llm' as const },
  review,
});
const holds = (conclusion: Conclusion, of: Of) => proofOf(conclusion, unit(of), OPTIONS).holds;

describe('T-33 the stance of the record on an accusation', () => {
  it.each<[string, Of, string]>([
    ['rules that read it and find nothing', {}, 'opposes'],
    ['two plain signs in a text that is read', { items: [textSignals('asks_money', 'threat')] }, 'agrees'],
    ['one plain sign', { items: [textSignals('asks_money')] }, 'open'],
    ['a scam report', { items: [textSignals(), reports(3)] }, 'agrees'],
    ['a domain of high risk', { items: [textSignals(), domainRisk('high')] }, 'agrees'],
    ['a suspicious number', { items: [textSignals(), phoneCheck(true)] }, 'agrees'],
    ['a scam report of the sender', { items: [textSignals(), { ...reports(3), given: true }] }, 'open'],
    ['complaints alone', { items: [textSignals(), complaints(3)] }, 'open'],
    ['a link that no source has cleared', { brief: { entities: LINK } }, 'open'],
    ['a language that is not read', { items: [unread()] }, 'open'],
    ['a text that was not read', { items: [] }, 'open'],
  ])('%s', (_, of, stance) => {
    expect(recordStance('scam', unit(of), OPTIONS)).toBe(stance);
  });

  it('T-40 signs of a text that is not read do not agree', () => {
    const signs = textSignals('suspicious_link', 'urges_click');
    const item = { ...signs, result: { ...(signs.result as Record<string, Json>), isRead: false } };
    expect(recordStance('scam', unit({ items: [item] }), OPTIONS)).toBe('open');
  });
});

describe('T-33 the proof of an accusation', () => {
  it('is not there against rules that find nothing, whatever a second question answers', () => {
    expect(holds('scam', { review: anExaminedReview('supports') })).toBe(false);
  });

  it.each<[ClaimAnswer, boolean]>([
    ['supports', true],
    ['not_in_it', false],
    ['contradicts', false],
  ])('in an open case follows the second question: %s', (answer, isProven) => {
    const brief = { entities: LINK };
    expect(holds('scam', { items: [unread()], brief, review: anExaminedReview(answer) })).toBe(isProven);
  });

  it('needs something that the receiver is asked for', () => {
    const review = anExaminedReview('supports');
    expect(holds('scam', { items: [unread()], review })).toBe(false);
    const text = 'Anyu, ez az uj szamom. Utalj 180 ezret azonnal.';
    expect(holds('scam', { items: [unread()], brief: { text }, review })).toBe(true);
  });

  it('is missing if the second question was not asked or gave no answer', () => {
    const brief = { entities: LINK };
    const failed = aReview({ crossExamination: { claims: [], failed: 'timeout', promptId: 'test@1' } });
    expect(holds('scam', { brief })).toBe(false);
    expect(proofOf('scam', unit({ brief, review: failed }), OPTIONS)).toEqual({
      holds: false,
      reasons: [
        'A language model calls the message a scam. Neither the rules nor a second model question confirmed this.',
      ],
    });
  });

  it('is not asked of rules, which judge by the record alone', () => {
    const byRules = { ...unit({}), draft: { method: 'heuristic' as const } };
    expect(proofOf('scam', byRules, OPTIONS)).toEqual({ holds: true, reasons: [] });
  });
});

describe('T-33 T-40 the proof of a dismissal', () => {
  it('is there if the rules reach it too', () => {
    expect(holds('harmless', {})).toBe(true);
    expect(holds('harmless', { items: [textSignals(), old], brief: { entities: LINK } })).toBe(true);
  });

  it('in an open case is the second question', () => {
    const brief = { entities: LINK };
    expect(holds('harmless', { brief })).toBe(false);
    expect(holds('harmless', { brief, review: anExaminedReview('not_in_it') })).toBe(false);
    expect(holds('harmless', { brief, review: anExaminedReview('supports') })).toBe(true);
  });

  it('is not there against signs of a scam on the record', () => {
    const findings = [{ id: 'x', code: 'contradicts_scam_reports', message: 'There are scam reports.' }];
    const review = anExaminedReview('supports', { findings });
    expect(holds('harmless', { items: [reports(3)], review })).toBe(false);
  });

  it('T-40 in a language that is not read also needs a source for what the message names', () => {
    const review = anExaminedReview('supports');
    expect(holds('harmless', { items: [unread()], review })).toBe(true);
    expect(holds('harmless', { items: [unread()], brief: { entities: LINK }, review })).toBe(false);
    expect(holds('harmless', { items: [unread(), old], brief: { entities: LINK }, review })).toBe(true);
    expect(holds('harmless', { items: [unread()] })).toBe(false);
  });
});
