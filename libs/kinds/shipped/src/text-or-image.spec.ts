import { aRunSettings } from '@casefile/contracts/testing';
import { scamVerdict } from '@casefile/scam-verdict/playbook';
import { messageScreening } from '@casefile/message-screening/playbook';
import { aBrief, aDraft, aReview, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';

const PLAYBOOKS = { 'scam-verdict': scamVerdict, 'message-screening': messageScreening };
const HARMLESS = {
  'scam-verdict': { riskLevel: 'low', confidence: 90 },
  'message-screening': { isScam: false, confidence: 0.9, primaryCategory: null, redFlags: [] },
};
const UNREAD = 'The text of the image could not be read well: confidence 44 of 100.';

describe('a verdict on an image', () => {
  const decide = (
    kind: keyof typeof PLAYBOOKS,
    method: 'llm' | 'heuristic',
    unread: string[],
    text = 'Hi',
  ) => {
    const remarks = method === 'heuristic' ? ['judged_by_rules'] : [];
    const image = { text, confidence: 44, unread, notes: [] };
    const unit = {
      unit: '',
      brief: aBrief({ text, textSource: 'ocr', entities: {}, image }),
      evidence: evidenceOf(textSignals()),
      draft: aDraft({ answer: HARMLESS[kind], method, remarks }),
      review: aReview(),
      report: { title: '', markdown: '', citations: [] },
    };
    const { decision, options } = PLAYBOOKS[kind];
    return decision.decide([unit], aRunSettings({ options: options.defaults }), '2026-01-05T10:00:09.000Z');
  };

  it.each([
    ['scam-verdict', 'llm'],
    ['scam-verdict', 'heuristic'],
    ['message-screening', 'llm'],
    ['message-screening', 'heuristic'],
  ] as const)('S1-17 S3-41 %s by %s: one that was read poorly is never dismissed', (kind, method) => {
    expect(decide(kind, method, []).disposition).toBe('dismiss');
    const verdict = decide(kind, method, [UNREAD]);
    expect(verdict).toMatchObject({
      disposition: 'review',
      degraded: true,
      degradedBy: ['unreadable'],
      degradedNote: 'image not read well',
    });
    expect(verdict.reasons).toContain(UNREAD);
  });

  it('S1-17 an image without a text has none that was judged', () => {
    expect(decide('scam-verdict', 'heuristic', [], '')).toMatchObject({
      disposition: 'review',
      degradedBy: ['no_text'],
    });
  });
});
