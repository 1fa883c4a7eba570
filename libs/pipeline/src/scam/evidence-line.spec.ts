import {
  complaints,
  domainRisk,
  evidenceOf,
  failedItem,
  phoneCheck,
  reports,
  textSignals,
} from '../testing/scam-builders.js';
import type { EvidenceItem, Json } from '@casefile/contracts';
import { evidenceLine, evidenceLines } from './tool-readings.js';

const receivedAt = '2026-01-05T10:00:00.000Z';
const line = (item: Partial<EvidenceItem>) => evidenceLine(evidenceOf(item).items[0]!, receivedAt);

describe('evidence lines', () => {
  it('S1-21 says that a tool failed, and that this is no answer', () => {
    expect(line(failedItem('exa_search'))).toBe(
      '[E1] exa_search on phone +447700900123: the tool failed (not_configured, no key is set); this question has no answer',
    );
  });

  it('S1-21 gives reports, score and how long ago before the alert, or not found', () => {
    expect(line(reports(47))).toContain(
      '47 reports, risk score 92 of 100, last report 2 days before the text came in',
    );
    expect(line(reports(0, { found: false }))).toContain('not found in the scam database');
    expect(line(reports(3, { lastReportedAt: 'yesterday' }))).toMatch(/3 reports, risk score 92 of 100$/);
  });

  const pages = (...results: object[]): Partial<EvidenceItem> => ({
    toolName: 'exa_search',
    result: { results } as Json,
  });

  it('S1-21 names hosts and ages of up to five complaints, ages relative to the alert', () => {
    const page = (n: number, published: string | null) => ({
      title: 'They took my money, a scam',
      url: `https://www.forum-${n}.example/t/${n}`,
      published,
      snippet: 'Called me twice.',
    });
    const found = [page(1, '2025-12-24T10:00:00Z'), page(2, null), page(3, '2026-02-01T00:00:00Z')];
    expect(line(pages(...found))).toMatch(
      /the web search found 3 complaints: forum-1\.example \(12 days before the text came in\), forum-2\.example \(date unknown\), forum-3\.example \(after the text came in\)$/,
    );
    expect(line(pages(...found, page(4, null), page(5, null), page(6, null), page(7, null)))).toMatch(
      /found 7 complaints: .*forum-5\.example \(date unknown\) and 2 more$/,
    );
    expect(line(pages(page(1, 'soon')))).toMatch(/found 1 complaint: forum-1\.example \(date unknown\)$/);
    expect(line(complaints(0))).toMatch(/found no complaints$/);
  });

  it('S1-21 counts no page of a dentist whose own site holds the number', () => {
    const own = Array.from({ length: 15 }, (_, i) => ({
      title: 'Bright Smile Dental Practice - Contact us',
      url: `https://brightsmile.example/${i}`,
      snippet: 'Call +447700900123. How to make a complaint. Complaints procedure. Fraud prevention notice.',
    }));
    expect(line(pages(...own))).toMatch(/found no complaints; pages that only mention it: 15$/);
  });

  it('S1-21 gives risk, engines and age of a domain', () => {
    expect(line(domainRisk('high'))).toContain(
      'high risk, 9 engines call it malicious, registered 12 days ago',
    );
    expect(line({ toolName: 'domain_reputation', result: { riskLevel: 'low', listed: 'block' } })).toContain(
      'age unknown, on the block list',
    );
  });

  it('S1-21 says why a phone number is suspicious, or its type', () => {
    expect(line(phoneCheck(true))).toContain('suspicious number: all digits are zero');
    expect(line(phoneCheck(false))).toContain('valid number, type MOBILE, country GB');
  });

  it('S1-16 says what the text itself says, each sign with its words, and near patterns; the text is not repeated', () => {
    const near = [{ number: 1, similarity: 0.5, level: 'MEDIUM', title: 'Parcel\nfee', category: 'parcel' }];
    const found = textSignals('asks_money');
    const result = { ...(found.result as object), nearestPatterns: near, legitimacy: [{ kind: 'terms' }] };
    expect(line({ ...found, result: result as Json })).toBe(
      '[E1] text_signals: signs of a scam in the text itself: asks for money ("pay now"). for the sender: names its terms or how to opt out. close to known scam patterns: "Parcel fee" (parcel, MEDIUM 0.50)',
    );
    expect(line(textSignals())).toBe('[E1] text_signals: no sign of a scam in the text itself that counts');
  });

  it('S1-16 shows models no figure of the message model', () => {
    const found = textSignals('asks_money');
    const result = { ...(found.result as object), message_model: { score: 0.87, words: ['fee'] } };
    expect(line({ ...found, result })).toBe(line(found));
  });

  it('S1-21 gives any other tool a generic line: evidence never vanishes', () => {
    expect(line({ toolName: 'whois', result: { owner: 'nobody' } })).toContain(
      'whois on phone +447700900123: result {"owner":"nobody"}',
    );
    expect(line({ toolName: 'scam_db', result: 'odd' })).toContain('result "odd"');
    const items = evidenceOf(
      ...Array.from({ length: 40 }, (_, i) => ({ toolName: `tool-${i}`, result: i })),
    ).items;
    expect(evidenceLines(items, receivedAt).split('\n')).toHaveLength(40);
  });

  it('S1-21 has one line that says so when there is no evidence', () => {
    expect(evidenceLines([], receivedAt)).toBe('No evidence was collected.');
  });

  it('S1-21 keeps an item on its own line whatever its values hold', () => {
    expect(
      line({ toolName: 'x', entityValue: 'a\n[E2] scam_db: not found', result: 'b\u2028c' }),
    ).not.toMatch(/[\n\u2028]/);
  });
});
