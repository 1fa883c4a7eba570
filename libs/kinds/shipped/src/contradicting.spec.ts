import type { Draft, EvidenceItem, Json, Review } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { messageScreening } from '@casefile/message-screening/playbook';
import { scamVerdict } from '@casefile/scam-verdict/playbook';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { aBrief, aDraft, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';
import type { Playbook } from '@casefile/pipeline/playbook';

const DIGITAL_ARREST =
  'This is CBI officer Sharma. A parcel in your name with drugs was seized at Mumbai airport and your Aadhaar is used for money laundering. ' +
  'You are under digital arrest: keep your camera on, do not tell anyone, and transfer your savings to the RBI safe account today for verification, or you will be arrested.';
const DINNER = 'Running ten minutes late, can you start the rice and feed the cat? Love you';

/** What the text says of itself, as the tool writes it. */
async function readingOf(text: string): Promise<Partial<EvidenceItem>> {
  const { messageModel, ...found } = await readText(text);
  const result = { nearestPatterns: [], count: found.signals.length, ...found, message_model: messageModel };
  return { ...textSignals(), result: JSON.parse(JSON.stringify(result)) as Json };
}

/** The verdict on a text whose model concludes that it is harmless. */
async function verdict(playbook: Playbook, text: string, answer: Draft['answer']) {
  const settings = aRunSettings({ playbook: playbook.name });
  const ports = fakePorts({ settings });
  const brief = aBrief({ text, entities: {}, mode: 'normal', language: { code: 'en', certainty: 0.9 } });
  const evidence = evidenceOf(await readingOf(text));
  const explanation = 'The sender is polite and the message is ordinary.';
  const draft = aDraft({ answer, explanation, method: 'llm', confidence: 0.92, evidenceUsed: ['E1'] });
  const outcome = await playbook.critique({ brief, evidence, draft, previous: {} }, ports);
  const review = (outcome as { artifact: Review }).artifact;
  const unit = {
    unit: '',
    brief,
    evidence,
    draft,
    review,
    report: { title: '', markdown: '', citations: [] },
  };
  return playbook.decision.decide([unit], settings, '2026-01-05T10:00:09.000Z', 'run-1', 'case-1');
}

const HARMLESS: [string, Playbook, Draft['answer']][] = [
  ['scam-verdict', scamVerdict, { riskLevel: 'low', confidence: 92, isScam: false }],
  ['message-screening', messageScreening, { isScam: false, confidence: 0.92, redFlags: [] }],
];

describe('T-01 a model that calls harmless what the rules call a scam', () => {
  it.each(HARMLESS)(
    '%s leaves it to a person, and the contradiction is the first reason',
    async (_, kind, answer) => {
      const made = await verdict(kind, DIGITAL_ARREST, answer);
      expect(made.disposition).toBe('review');
      expect(made.reasons[0]).toMatch(
        /^The model says that it is harmless \("The sender is polite .*"\), but the evidence speaks against that: \d+ signs of a scam: .+\[E1\]/,
      );
    },
  );

  it.each(HARMLESS)('%s dismisses what the rules do not contradict', async (_, kind, answer) => {
    expect(await verdict(kind, DINNER, answer)).toMatchObject({ disposition: 'dismiss' });
  });
});
