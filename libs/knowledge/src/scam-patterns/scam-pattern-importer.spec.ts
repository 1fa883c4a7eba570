import type { CaseDocument } from '@casefile/contracts';
import { patternOfCase } from './scam-pattern-importer.js';

const outcome = {
  scamDetected: true,
  category: 'kyc_banking',
  language: 'ta',
  redFlags: ['threat'],
  action: 'engage',
};
const caseWith = (verdict: object | null, text = 'உங்கள்  கணக்கு') =>
  ({ id: 'c1', alerts: [{ text }], runs: [{ id: 'r1', verdict }] }) as unknown as CaseDocument;

describe('S3-12 a pattern from a confirmed verdict', () => {
  it('S3-12 has the message in its language, category, red flags and where it is from', () => {
    expect(patternOfCase(caseWith({ outcome, degraded: false }), { scamType: 'credential_theft' })).toEqual({
      id: 'case-c1',
      title: 'உங்கள் கணக்கு',
      texts: { ta: 'உங்கள்  கணக்கு' },
      category: 'kyc_banking',
      scamType: 'credential_theft',
      redFlags: ['threat'],
      source: 'verdict of run r1',
      version: 1,
    });
  });

  it.each([
    ['no verdict', null, 'x'],
    ['a verdict that it is none', { outcome: { ...outcome, scamDetected: false }, degraded: false }, 'x'],
    ['a safe default', { outcome, degraded: true }, 'x'],
    ['no text', { outcome, degraded: false }, ' '],
  ])('S3-12 S3-41 is not made of %s', (_what, verdict, text) => {
    const act = () => patternOfCase(caseWith(verdict, text), { scamType: 's' });
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'invalid_input' }));
  });

  it('S3-12 names what is wrong in what the person added', () => {
    const act = () => patternOfCase(caseWith({ outcome, degraded: false }), { scamType: 'no good!' });
    expect(act).toThrow(/scamType/);
  });
});
