import { readFileSync } from 'node:fs';
import type { EvidenceItem } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { asksInOtherLanguages } from '../text-signals/asks-in-other-languages.js';
import { aBrief, aDraft, domainRisk, evidenceOf, reports, textSignals } from '../testing/scam-builders.js';
import { contradictedByRecord } from './contradicted-by-record.js';

const find = contradictedByRecord(({ answer }) => answer['riskLevel'] === 'low');
const SPANISH =
  'Su cuenta sera suspendida en 24 horas. Confirme su contrasena y el codigo SMS para evitar el bloqueo.';

function found(items: Partial<EvidenceItem>[], riskLevel = 'low', text = SPANISH): string[] {
  const draft = aDraft({ answer: { riskLevel }, explanation: 'The bank informs its customer.' });
  const input = { brief: aBrief({ text }), evidence: evidenceOf(...items), draft, previous: {} };
  return find(input, aRunSettings()).map(({ by, message }) => `${by}: ${message}`);
}
const unread = (): Partial<EvidenceItem> => ({ ...textSignals(), result: { isRead: false, signals: [] } });

describe('what contradicts a text that a model calls harmless', () => {
  it('T-01 is a scam report on what the text names', () => {
    expect(found([reports(12)])).toEqual([
      'scam_reports: The model says that it is harmless ("The bank informs its customer."), but the evidence speaks against that: scam reports on +447700900123 [E1].',
    ]);
    expect(found([reports(12)], 'high')).toEqual([]);
    expect(found([{ ...reports(12), given: true }])).toEqual([]);
    expect(found([reports(0)])).toEqual([]);
  });

  it('T-01 is a domain of high risk', () => {
    expect(found([domainRisk('high', 9)])[0]).toMatch(
      /^domain_reputation: .*9 engines call it malicious \[E1\]/,
    );
    expect(found([domainRisk('medium', 1)])).toEqual([]);
  });

  it('T-01 is what a text asks for in a language that the rules do not read', () => {
    expect(found([unread()])[0]).toMatch(/^asks: .*asks for a code, password.*sets a deadline/);
    expect(found([textSignals()])).toEqual([]);
    expect(found([unread()], 'low', 'Nos vemos el martes, traigo el pastel')).toEqual([]);
  });

  it('T-01 is in at most one of a hundred harmless messages of other languages', () => {
    const file = new URL('../../../../samples/eval/other-languages.jsonl', import.meta.url);
    const rows = readFileSync(file, 'utf8').trim().split('\n');
    const harmless = rows
      .map((line) => JSON.parse(line) as { text: string; isScam: boolean })
      .filter(({ isScam }) => !isScam);
    const doubted = harmless.filter(({ text }) => asksInOtherLanguages(text).length > 0);
    expect(harmless.length).toBe(300);
    expect(doubted.length).toBeLessThanOrEqual(3);
  });
});
