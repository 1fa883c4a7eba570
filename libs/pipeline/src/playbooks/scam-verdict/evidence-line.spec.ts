import {
  complaints,
  domainRisk,
  evidenceOf,
  failed,
  phoneCheck,
  reports,
} from '../../testing/scam-builders.js';
import type { EvidenceItem } from '@casefile/contracts';
import { evidenceLine, evidenceLines } from './evidence-line.js';

const receivedAt = '2026-01-05T10:00:00.000Z';
const line = (item: Partial<EvidenceItem>) => evidenceLine(evidenceOf(item).items[0]!, receivedAt);

describe('evidence lines', () => {
  it('S1-21 says that a tool failed, and that this is no answer', () => {
    expect(line(failed('exa_search'))).toBe(
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

  it('S1-21 gives the number of complaints, or none', () => {
    expect(line(complaints(12))).toContain(
      '12 complaints, among them "Complaint 1", "Complaint 2", "Complaint 3"',
    );
    expect(line(complaints(0))).toContain('found no complaints');
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
