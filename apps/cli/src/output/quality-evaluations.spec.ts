import type { QualityShare, ShownEvaluation } from '@casefile/contracts';
import { evaluationLines } from './quality-evaluations.js';

const share = (part: number, of: number): QualityShare => ({
  part,
  of,
  share: part / of,
  low: 0.5,
  high: 0.75,
});

const EVALUATION: ShownEvaluation = {
  playbook: 'parcel',
  set: 'mine',
  unseen: true,
  by: 'rules',
  strategy: 'heuristic',
  date: '2026-11-26',
  file: '2026-11-26_parcel_mine_heuristic.json',
  verdicts: 20,
  labels: 30,
  accuracy: share(18, 30),
  leftOpen: share(3, 30),
  classes: [{ name: 'lost', precision: share(8, 10), recall: share(9, 12) }],
  reviewShare: share(4, 20),
  degradedShare: share(1, 20),
  costUsdPerVerdict: 0,
  unpricedCalls: 0,
  tokensPerVerdict: 0,
  p50Ms: 101.4,
  p95Ms: null,
};

describe('results of labelled sets in casefile quality', () => {
  it('S4-60 prints right, precision and recall with their intervals, cost and time', () => {
    const lines = evaluationLines([EVALUATION]).map((line) => line.replace(/ {2,}/g, ' | '));
    expect(lines).toEqual([
      '',
      'Labelled sets (docs/results)',
      'kind | set | date | by | verdicts | labels | right | not answered | review | degraded',
      'parcel | mine (unseen) | 2026-11-26 | rules | 20 | 30 | 60.0 % (18 of 30; 50 to 75) | 10.0 % | 20.0 % | 5.0 %',
      '',
      'Precision and recall on labelled sets',
      'kind | set | date | by | label | precision | recall',
      'parcel | mine (unseen) | 2026-11-26 | rules | lost | 80.0 % (8 of 10; 50 to 75) | 75.0 % (9 of 12; 50 to 75)',
      '',
      'Cost and time per verdict of labelled sets',
      'kind | set | date | by | cost | tokens | p50 | p95',
      'parcel | mine (unseen) | 2026-11-26 | rules | 0.0000 US dollars | 0 | 101 ms | -',
    ]);
  });

  it('S4-60 prints nothing without results', () => {
    expect(evaluationLines([])).toEqual([]);
  });

  it('S4-60 escapes control characters of a file', () => {
    const by = 'm\u001b[2J';
    expect(evaluationLines([{ ...EVALUATION, by }]).join('\n')).not.toContain('\u001b');
  });
});
