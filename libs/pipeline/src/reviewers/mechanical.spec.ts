import type { Draft, Review } from '@casefile/contracts';
import { fakePorts } from '../testing/fake-ports.js';
import {
  aBrief,
  aDraft,
  complaints,
  domainRisk,
  evidenceOf,
  failedItem,
  reports,
} from '../testing/scam-builders.js';
import { evidenceLine } from '../scam/tool-readings.js';
import { mechanical } from './mechanical.js';

const evidence = evidenceOf(
  reports(1_250),
  complaints(12),
  domainRisk('high'),
  failedItem('phone_validator'),
);

async function review(over: Partial<Draft>): Promise<Review> {
  const outcome = await mechanical(evidenceLine)(
    { brief: aBrief(), evidence, draft: aDraft(over), previous: {} },
    fakePorts(),
  );
  if (outcome.kind !== 'done') throw new Error('a mechanical review is always done');
  return outcome.artifact;
}
const idsOf = async (over: Partial<Draft>) => (await review(over)).findings.map((finding) => finding.id);

describe('the mechanical reviewer', () => {
  it('S1-27 passes what rests on the evidence', async () => {
    expect(await review({})).toEqual({ ruling: 'PASS', findings: [], reviewer: 'mechanical' });
  });

  it('S1-27 warns of evidence that does not exist, in the list, the claims and the text', async () => {
    const over = {
      evidenceUsed: ['E1', 'E99', 'virus_db'],
      claims: [{ text: 'x', citations: ['E98'] }],
      explanation: 'Seen often [E1, E97], see [E2].',
    };
    expect((await review(over)).ruling).toBe('WARN');
    expect(await idsOf(over)).toEqual(
      ['E99', 'virus_db', 'E98', 'E97'].map((id) => `unknown_evidence:${id}`),
    );
  });

  it('S1-27 warns of figures that nothing has', async () => {
    expect(await idsOf({ explanation: 'It has 48 reports and 3,400 victims, 48 in all.' })).toEqual([
      'unknown_figure:48',
      'unknown_figure:3,400',
    ]);
  });

  it.each([
    'There are 1250 reports, or 1,250.',
    '12 complaints, 9 engines, 12 days old, last report 2 days ago.',
    'The score is 92 of 100; I am 85 % sure.',
    'It names +44 7700 900123 and E1.',
    '1. It asks for money.\n2. It is urgent.',
    'One of 4 questions had no answer, 3 had one.',
    'Reported on 2026-01-03, a B2B trick, covid-19 era.',
    'Reports [E1], complaints [E2][E3].',
  ])('S1-27 accepts figures that the evidence, the text or counting gives: %s', async (explanation) => {
    expect(await idsOf({ explanation })).toEqual([]);
  });

  it("S1-27 leaves the heuristic's own arithmetic alone", async () => {
    expect(
      await idsOf({ method: 'heuristic', explanation: '1250 reports (+40) [E1]. Risk score 77.' }),
    ).toEqual([]);
  });

  it('S1-27 gives the same finding the same id, each once, and at most 50', async () => {
    const over = { explanation: Array.from({ length: 300 }, (_, i) => `figure ${5_000 + i}`).join(', ') };
    const ids = await idsOf(over);
    expect(ids).toHaveLength(50);
    expect(new Set(ids).size).toBe(50);
    expect(await idsOf(over)).toEqual(ids);
  });
});
