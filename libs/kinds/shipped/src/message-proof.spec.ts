import type { Draft, EvidenceItem, Json, Review } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';
import { messageScreening } from '@casefile/message-screening/playbook';
import type { Playbook } from '@casefile/pipeline/playbook';
import { fakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import { aBrief, aDraft, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';
import { scamVerdict } from '@casefile/scam-verdict/playbook';

const REMINDER = 'Your check-up at the clinic is on Friday at 9:10. Answer C to change it.';
const FINNISH =
  'Pakettisi on pysäytetty. Maksa tullimaksu 24 tunnin sisällä: https://posti-tulli.example.top/m';
const FINNISH_LUNCH = 'Moi, nähdäänkö huomenna lounaalla siinä tavallisessa paikassa?';

async function readingOf(text: string): Promise<Partial<EvidenceItem>> {
  const { messageModel, ...found } = await readText(text);
  const result = { nearestPatterns: [], count: found.signals.length, ...found, message_model: messageModel };
  return { ...textSignals(), result: JSON.parse(JSON.stringify(result)) as Json };
}

type Says = 'scam' | 'harmless';
const KINDS: [string, Playbook, (says: Says) => Draft['answer']][] = [
  ['scam-verdict', scamVerdict, (says) => ({ riskLevel: says === 'scam' ? 'high' : 'low', confidence: 95 })],
  [
    'message-screening',
    messageScreening,
    (says) => ({ isScam: says === 'scam', confidence: 0.95, redFlags: ['a', 'b', 'c'] }),
  ],
];

interface Case {
  text: string;
  says: Says;
  entities?: Record<string, string[]>;
  examiner?: FakePortsOptions['script'];
  leftMs?: number;
}

/** The verdict on a conclusion of a model, and the questions that its review asked. */
async function judged(kind: Playbook, answer: Draft['answer'], one: Case) {
  const { text, entities = {}, examiner = [], leftMs = 3_000 } = one;
  const settings = aRunSettings({ playbook: kind.name, options: { plantedClaims: 0 } });
  const ports = fakePorts({ playbook: kind, settings, script: examiner });
  const brief = aBrief({ text, entities, mode: 'normal', language: { code: 'en', certainty: 0.9 } });
  const evidence = evidenceOf(await readingOf(text));
  const explanation = 'As the message says.';
  const draft = aDraft({ answer, explanation, confidence: 0.95, evidenceUsed: [], leftMs });
  const outcome = await kind.critique({ brief, evidence, draft, previous: {} }, ports);
  const review = (outcome as { artifact: Review }).artifact;
  const report = { title: '', markdown: '', citations: [] };
  const results = [{ unit: '', brief, evidence, draft, review, report }];
  const verdict = kind.decision.decide(results, settings, '2026-01-05T10:00:09.000Z', 'run-1', 'case-1');
  return { verdict, calls: ports.model.calls, now: ports.clock.now() };
}

const says = (answer: string, quote: string) =>
  JSON.stringify({ claims: [{ id: 'C1', against: 'None.', answer, quote }] });

describe.each(KINDS)('T-33 a conclusion of a model alone: %s', (name, kind, answerOf) => {
  const judge = (one: Case) => judged(kind, answerOf(one.says), one);

  it('an accusation against rules that find nothing is reviewed, and no further question is asked', async () => {
    const { verdict, calls } = await judge({ text: REMINDER, says: 'scam' });
    expect(verdict).toMatchObject({ disposition: 'review', degraded: false });
    expect(verdict.reasons[0]).toMatch(/calls the message a scam, but the rules read it/);
    expect(calls).toEqual([]);
  });

  it('a harmless answer that the rules reach too is dismissed without a further question', async () => {
    const { verdict, calls } = await judge({ text: REMINDER, says: 'harmless' });
    expect(verdict.disposition).toBe('dismiss');
    expect(calls).toEqual([]);
  });

  it('T-40 a scam in Finnish is not dismissed on the word of the model, nor of both questions', async () => {
    const entities = { url: ['https://posti-tulli.example.top/m'], domain: ['example.top'] };
    const one = { text: FINNISH, says: 'harmless', entities } as const;
    const examiner = [says('supports', 'Pakettisi on pysäytetty')];
    expect((await judge({ ...one, examiner })).verdict.disposition).toBe('review');
    expect((await judge({ ...one, examiner: ['No.', 'No.'] })).verdict.disposition).toBe('review');
  });

  it('T-40 a plain Finnish message is dismissed if a second question supports it', async () => {
    const one = { text: FINNISH_LUNCH, says: 'harmless' } as const;
    const supported = await judge({ ...one, examiner: [says('supports', 'huomenna lounaalla')] });
    expect(supported.verdict.disposition).toBe('dismiss');
    expect(supported.calls).toHaveLength(1);
    expect(supported.calls[0]!.request).toMatchObject({
      kind: 'cross-examination',
      level: 'low',
      promptId: `${name}/cross-examination@1`,
    });
    const refuted = await judge({ ...one, examiner: [says('not_in_it', '')] });
    expect(refuted.verdict.disposition).toBe('review');
    const out = await judge({ ...one, examiner: null });
    expect(out.verdict.disposition).toBe('review');
  });

  it('T-40 an accusation in Finnish needs a second question and something to follow', async () => {
    const entities = { url: ['https://posti-tulli.example.top/m'], domain: ['example.top'] };
    const examiner = [says('supports', 'Maksa tullimaksu 24 tunnin')];
    const acted = await judge({ text: FINNISH, says: 'scam', entities, examiner });
    expect(acted.verdict.disposition).toBe('act');
    const unanswered = await judge({ text: FINNISH, says: 'scam', entities, examiner: ['No.', 'No.'] });
    expect(unanswered.verdict.disposition).toBe('review');
  });

  it('S1-25 the further question ends within the deadline of the strategy; without time left: review', async () => {
    const one = { text: FINNISH_LUNCH, says: 'harmless' } as const;
    const examiner = [says('supports', 'huomenna lounaalla')];
    const asked = await judge({ ...one, examiner, leftMs: 700 });
    expect(asked.calls[0]!.deadlineAt).toBe(asked.now + 700);
    const late = await judge({ ...one, examiner, leftMs: 0 });
    expect(late.calls).toEqual([]);
    expect(late.verdict).toMatchObject({ disposition: 'review', degraded: false });
    expect(late.verdict.reasons.join(' ')).toContain('it did not answer in time');
  });
});

describe('T-33 what leaves with a conclusion that nothing confirmed', () => {
  it('S1-26 scam-verdict states the level `unconfirmed`', async () => {
    const high = await judged(
      scamVerdict,
      { riskLevel: 'high', confidence: 95 },
      { text: REMINDER, says: 'scam' },
    );
    expect(high.verdict.outcome).toMatchObject({ riskLevel: 'unconfirmed' });
    expect(high.verdict.outcome['explanation']).toMatch(/Unconfirmed: this high risk needs review\.$/);
  });

  it('S3-40 message-screening probes', async () => {
    const answer = { isScam: true, confidence: 0.95, redFlags: [] };
    const { verdict } = await judged(messageScreening, answer, { text: REMINDER, says: 'scam' });
    expect(verdict.outcome).toMatchObject({ action: 'probe', reason: 'not confirmed', scamDetected: true });
  });

  it('S3-41 message-screening leaves the sender alone whose message it calls harmless, and asks for review', async () => {
    const answer = { isScam: false, confidence: 0.95, redFlags: [] };
    const { verdict } = await judged(messageScreening, answer, { text: FINNISH_LUNCH, says: 'harmless' });
    expect(verdict.disposition).toBe('review');
    expect(verdict.outcome).toMatchObject({ action: 'ignore', reason: 'not confirmed', scamDetected: false });
  });

  it('T-39 planted claims stand among the claim, and an examiner that supports one gives no answer', async () => {
    const settings = aRunSettings({ playbook: 'scam-verdict' });
    const text = 'Moi, nähdäänkö huomenna klo 12:30 lounaalla Kallion torilla?';
    const evidence = evidenceOf(await readingOf(text));
    const draft = aDraft({
      answer: { riskLevel: 'low', confidence: 90 },
      explanation: 'Lounas klo 12:30.',
      evidenceUsed: [],
    });
    const input = { brief: aBrief({ text, entities: {} }), evidence, draft, previous: {} };
    const all = fakePorts({ playbook: scamVerdict, settings, script: ['-'] });
    const asked = all.model;
    all.model.call = async (step, request, deadlineAt) => {
      asked.calls.push({ step, request, deadlineAt });
      const prompt = request.messages.map(({ content }) => content).join('\n');
      return { ...ANSWER, content: supportingExaminer(prompt, () => false) };
    };
    const outcome = await scamVerdict.critique(input, all);
    const { crossExamination } = (outcome as { artifact: Review }).artifact;
    expect(crossExamination).toMatchObject({ failed: 'planted_supported', claims: [] });
    expect(crossExamination!.planted!.length).toBeGreaterThan(0);
  });
});

const ANSWER = {
  provider: 'fake',
  model: 'fake-1',
  toolCalls: [],
  finishReason: 'stop' as const,
  usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
  reasoning: null,
  raw: null,
  costUsd: null,
};
