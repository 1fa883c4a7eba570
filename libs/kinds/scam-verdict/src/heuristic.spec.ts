import { draftSchema, type EvidenceItem, type Json } from '@casefile/contracts';
import fc from 'fast-check';
import {
  anInput,
  complaints,
  domainRisk,
  evidenceOf,
  failedItem,
  phoneCheck,
  reports,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { heuristic } from './heuristic.js';

const judge = (...items: Partial<EvidenceItem>[]) => heuristic(anInput(evidenceOf(...items))).answer;
const score = (...items: Partial<EvidenceItem>[]) => judge(...items)['score'];

describe('the heuristic', () => {
  it('S1-40 starts at 0 and counts only items that succeeded', () => {
    expect(score()).toBe(0);
    expect(score({ ...reports(47), success: false }, failedItem('exa_search'))).toBe(0);
  });

  it('S1-40 adds every item; several entities can pass 100 and the raw score is kept', () => {
    const answer = judge(reports(47), reports(10), domainRisk('high'), phoneCheck(true));
    expect(answer).toMatchObject({ score: 135, riskLevel: 'high', confidence: 100 });
  });

  it.each([
    [1, 5],
    [7, 35],
    [8, 40],
    [9, 40],
    [10_000, 40],
  ])('S1-44 gives 5 points a report, at most 40: %i reports are %i', (count, points) => {
    expect(score(reports(count))).toBe(points);
  });

  it('S1-44 gives nothing for what is not found', () => {
    expect(score(reports(47, { found: false }))).toBe(0);
  });

  it.each([
    [0, 0],
    [1, 2],
    [9, 18],
    [10, 20],
    [11, 20],
  ])('S1-45 gives 2 points a search result, at most 20: %i results are %i', (count, points) => {
    expect(score(complaints(count))).toBe(points);
  });

  it('S1-45 counts complaints and no other page: the own site of a dentist gives 0', () => {
    const page = (title: string, snippet = '') => ({
      title,
      snippet,
      url: 'https://a.example/',
      published: null,
    });
    const own = {
      toolName: 'exa_search',
      result: { results: Array(15).fill(page('Dental practice, contact us')) },
    };
    expect(score(own)).toBe(0);
    const mixed = [
      page('Opening times'),
      page('Beware of this number'),
      page('Reviews', 'yeh number fraud hai'),
    ];
    expect(score({ toolName: 'exa_search', result: { results: mixed } })).toBe(4);
  });

  it.each([
    ['high', 30],
    ['HIGH', 30],
    ['medium', 15],
    ['low', 0],
  ])('S1-46 weighs a domain of %s risk with %i', (level, points) => {
    expect(score(domainRisk(level))).toBe(points);
  });

  it('S1-47 gives 25 for a suspicious phone number and nothing for a good one', () => {
    expect(score(phoneCheck(true))).toBe(25);
    expect(score(phoneCheck(false))).toBe(0);
  });

  it.each([
    [[reports(8), domainRisk('high')], 70, 'high'],
    [[reports(8), phoneCheck(true), complaints(2)], 69, 'medium'],
    [[reports(8)], 40, 'medium'],
    [[reports(3), complaints(10), complaints(2)], 39, 'low'],
  ])('S1-48 calls the levels at 70 and 40 (case %#)', (items, points, level) => {
    expect(judge(...items)).toMatchObject({ score: points, riskLevel: level });
  });

  it.each([
    [[reports(8), domainRisk('high'), domainRisk('high')], 100],
    [[reports(8), domainRisk('high')], 70],
    [[reports(8)], 40],
    [[reports(2)], 90],
    [[complaints(10), complaints(9)], 62],
    [[], 100],
  ])('S1-49 takes the confidence from the score (case %#)', (items, confidence) => {
    expect(judge(...items)['confidence']).toBe(confidence);
  });

  it('S1-49 never goes below 50 with a low risk', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.nat(10), (r, c) => {
        const answer = judge(reports(r), complaints(c));
        return answer['riskLevel'] !== 'low' || Number(answer['confidence']) >= 50;
      }),
    );
  });

  it('S1-50 names each finding with its number, and uses only what contributed', () => {
    const draft = heuristic(
      anInput(
        evidenceOf(reports(47), complaints(0), complaints(12), phoneCheck(true), failedItem('scam_db')),
      ),
    );
    expect(draft.explanation).toContain('47 reports');
    expect(draft.explanation).toContain('12 complaints');
    expect(draft.explanation).toContain('all digits are zero');
    expect(draft.explanation).not.toContain('found 0');
    expect(draft.evidenceUsed).toEqual(['E1', 'E3', 'E4']);
    expect(draft.claims.map((claim) => claim.citations)).toEqual([['E1'], ['E3'], ['E4']]);
  });

  it('S1-50 says that no strong indicator was found', () => {
    const draft = heuristic(anInput(evidenceOf(phoneCheck(false))));
    expect(draft.explanation).toMatch(/no strong indicator/i);
    expect(draft.evidenceUsed).toEqual([]);
  });

  it.each([
    [
      '47 reports, 12 complaints, all-zero phone',
      [reports(47), complaints(12), phoneCheck(true)],
      { score: 85, riskLevel: 'high', confidence: 85 },
    ],
    ['10 reports alone', [reports(10)], { score: 40, riskLevel: 'medium', confidence: 40 }],
    ['2 reports alone', [reports(2)], { score: 10, riskLevel: 'low', confidence: 90 }],
    ['nothing', [], { score: 0, riskLevel: 'low', confidence: 100 }],
  ])('S1-40 to S1-49, worked figure: %s', (_, items, expected) => {
    expect(judge(...items)).toMatchObject(expected);
  });

  it('S1-51 is a plain computation: 500 items in one synchronous call, the same answer each time', () => {
    const items = Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? reports(3) : complaints(4)));
    const input = anInput(evidenceOf(...items));
    const draft = heuristic(input);
    expect(draft).not.toBeInstanceOf(Promise);
    expect(draft.answer['score']).toBe(250 * 15 + 250 * 8);
    expect(heuristic(input)).toEqual(draft);
  });

  it('S1-60 counts evidence of a wrong shape as nothing and never throws', () => {
    expect(score(reports('47'), reports(-3), reports(null), domainRisk(7), phoneCheck('yes'))).toBe(0);
    const tool = fc.constantFrom(
      'scam_db',
      'exa_search',
      'domain_reputation',
      'phone_validator',
      '__proto__',
      'toString',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(tool, fc.jsonValue()), { maxLength: 5 }), (pairs) => {
        const items = pairs.map(([toolName, result]) => ({ toolName, result: result as Json }));
        const draft = heuristic(anInput(evidenceOf(...items)));
        return draftSchema.safeParse({ ...draft, strategy: 'heuristic' }).success;
      }),
    );
  });

  it('S1-16 S1-50 signs in the text earn no points, and are said: a low score must not read as if there were none', () => {
    const found = heuristic(anInput(evidenceOf(textSignals('asks_money', 'threat'))));
    expect(found.answer).toMatchObject({ riskLevel: 'low', score: 0, confidence: 100 });
    expect(found.evidenceUsed).toEqual([]);
    expect(found.explanation).toMatch(/^No strong indicator of a scam was found by the look-ups\./);
    expect(found.explanation).toMatch(/score is of look-ups alone.*asks for money.*threatens.*\[E1\]\.$/);
    expect(heuristic(anInput(evidenceOf(textSignals()))).explanation).not.toContain('look-ups alone');
  });
});
