import type { Verdict } from '@casefile/contracts';
import { makeNotice } from './notice.js';
import { aBrief } from './testing/scam-builders.js';

const whatOf = (summary: string | undefined, brief: Partial<ReturnType<typeof aBrief>>) => {
  const outcome = summary === undefined ? {} : { summary };
  const verdict = { outcome, reasons: [] } as unknown as Verdict;
  return makeNotice({}, { verdict, brief: aBrief(brief), evidence: null }).what;
};

describe('the first line of a message about a verdict', () => {
  const payload = { textSource: 'payload', text: 'Desks Ltd: account A to B\nmore' } as const;

  it('has the subject of a case whose alert has fields before its summary, unless the summary has it', () => {
    expect(whatOf('It is another country.', payload)).toBe(
      'Desks Ltd: account A to B: It is another country.',
    );
    expect(whatOf('Desks Ltd: account A to B, blocked.', payload)).toBe(
      'Desks Ltd: account A to B, blocked.',
    );
  });

  it('is the summary alone of a message, and the subject of a case without a summary', () => {
    expect(whatOf('A scam.', { textSource: 'text', text: 'Pay now' })).toBe('A scam.');
    expect(whatOf(undefined, { textSource: 'text', text: 'Pay now' })).toBe('Pay now');
  });
});
