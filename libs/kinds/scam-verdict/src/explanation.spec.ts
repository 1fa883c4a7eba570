import type { Brief, EvidenceItem, Json } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import {
  aBrief,
  anInput,
  complaints,
  domainRisk,
  evidenceOf,
  failedItem,
  phoneCheck,
  reports,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';
import { riskLevel } from './decide.js';
import { heuristic } from './heuristic.js';
import { rules, scamVerdict } from './playbook.js';

const settings = aRunSettings({ playbookVersion: scamVerdict.version });
const NOTHING_NAMED = { entities: {} };

/** What the text says of itself, as the tool writes it. */
async function readingOf(text: string): Promise<Partial<EvidenceItem>> {
  const { messageModel, ...found } = await readText(text);
  const result = { nearestPatterns: [], count: found.signals.length, ...found, message_model: messageModel };
  return { ...textSignals(), result: JSON.parse(JSON.stringify(result)) as Json };
}

const judged = (brief: Partial<Brief>, ...items: Partial<EvidenceItem>[]) =>
  rules.answer(anInput(evidenceOf(...items), brief), '', settings);
const explanation = (brief: Partial<Brief>, ...items: Partial<EvidenceItem>[]) =>
  judged(brief, ...items).explanation;

describe('T-21 the explanation by rules', () => {
  it('of a high risk states the level, the strongest three look-ups with their counts, their sum, and what is missing', () => {
    const items = [
      complaints(1),
      phoneCheck(true),
      reports(63),
      domainRisk('high'),
      failedItem('exa_search'),
    ];
    expect(explanation({}, ...items, textSignals())).toBe(
      'High risk by what the look-ups found. Look-ups: the scam database holds 63 reports on +447700900123 (+40) [E3], ' +
        'the domain parcel-fee[.]example has a high risk (9 engines call it malicious) (+30) [E4], ' +
        'the phone number +447700900123 is suspicious: all digits are zero (+25) [E2], and 1 weaker finding (+2) [E1]. ' +
        'They score 97; 40 is a medium risk, and 70 a high one. ' +
        'The message itself shows no sign of a scam [E6]. What is missing: the web search is not configured.',
    );
  });

  it('of an unconfirmed low risk states the signs of the text, their weight, and what no source has cleared', () => {
    const items = [
      textSignals('asks_money'),
      failedItem('phone_validator'),
      failedItem('scam_db', 'timeout'),
    ];
    const draft = judged({}, ...items);
    expect(draft.explanation).toBe(
      'Low risk, but unconfirmed: it needs review. One sign of a scam: the message asks for money ("pay now") [E1]. ' +
        'Together this weighs 1; a plain sign weighs 1, and from 3.5 the text alone makes the risk medium, or high if it names what to follow, call, or pay. ' +
        'No strong indicator of a scam was found by a look-up: none gave an answer. ' +
        'What is missing: no source has cleared hxxps://parcel-fee[.]example/pay, parcel-fee[.]example, +447700900123; ' +
        'the scam database gave no answer about +447700900123 (it did not answer in time); ' +
        'the phone number check is not configured.',
    );
    expect(draft.answer).toMatchObject({ riskLevel: 'low', unconfirmed: true });
  });

  it('of a low risk that may be dismissed states what was read and cleared, without a mark', async () => {
    const dinner = await readingOf(
      'Running ten minutes late, can you start the rice and feed the cat? Love you',
    );
    const draft = judged(NOTHING_NAMED, dinner);
    expect(draft.explanation).toMatch(/^Low risk\. The message itself shows no sign of a scam \[E1\]\./);
    expect(draft.explanation).toMatch(
      /No strong indicator of a scam was found by a look-up: the message names nothing to look up\.$/,
    );
    expect(draft.answer).not.toHaveProperty('unconfirmed');
    const cleared = { ...phoneCheck(false), entityValue: '+447700900123' };
    const call = judged({ entities: { phone: ['+447700900123'] } }, dinner, cleared);
    expect(call.explanation).toContain(
      'Each link and number that it names was looked up, and nothing speaks against it.',
    );
    const receipt = await readingOf(
      'Rs.40.00 debited to your Northwind Bank Credit Card ending 1122 on 4/19/26, 7:10 PM (UPI Ref no.700000000001). To dispute, call 8600000000.',
    );
    const debit = judged({ entities: { phone: ['+918600000000'] } }, receipt, phoneCheck(false));
    expect(debit.explanation).toContain('no source has cleared +918600000000');
    expect(debit.explanation).not.toContain('was looked up, and nothing');
  });

  it('of a text that sets the level itself names three of its signs, their number, and the likeness of its words', async () => {
    const text =
      'Dear customer, this is your bank. Your account is blocked today, read out the code that has just arrived or you will be arrested. Verify at http://kyc-update.example/otp';
    const entities = { url: ['http://kyc-update.example/otp'] };
    const draft = judged({ text, entities }, await readingOf(text), failedItem('scam_db'));
    expect(draft.answer).toMatchObject({ riskLevel: 'high', floor: 'text_signals' });
    expect(draft.explanation).toMatch(
      /^High risk: the message itself reads like a scam, and it names what to follow, call, or pay \(hxxp:\/\/kyc-update\[\.\]example\/otp\)\. \d signs of a scam, the strongest: the message .+, .+, and .+ \[E1\]\./,
    );
    expect(draft.explanation).not.toContain('http:');
    expect(draft.explanation).toMatch(/Together this weighs \d/);
    expect(draft.explanation).toMatch(
      /No look-up adds to it\. What is missing: the scam database is not configured\.$/,
    );
  });

  it('is that of the outcome and its only statement of the missing confirmation', () => {
    const items = [textSignals('asks_money'), failedItem('scam_db', 'timeout')];
    const input = anInput(evidenceOf(...items), NOTHING_NAMED);
    const draft = { ...rules.answer(input, '', settings), strategy: 'heuristic' };
    const unit = {
      unit: '',
      brief: aBrief(NOTHING_NAMED),
      evidence: input.evidence,
      draft,
      review: { ruling: 'PASS' as const, findings: [], reviewer: 'mechanical' },
      report: { title: '', markdown: '', citations: [] },
    };
    const { outcome, disposition } = riskLevel.decide([unit], settings, '2026-01-05T10:00:09.000Z');
    expect(disposition).toBe('review');
    expect(outcome).toMatchObject({
      riskLevel: 'unconfirmed',
      explanation: draft.explanation,
      confidence: 100,
    });
    expect(String(outcome['explanation']).match(/unconfirmed/gi)).toHaveLength(1);
  });

  it('leaves level, score, confidence and evidence as the rules give them', () => {
    const input = anInput(evidenceOf(reports(63), textSignals('asks_money'), phoneCheck(true)));
    const before = heuristic(input);
    const { explanation: said, answer, ...rest } = rules.answer(input, '', settings);
    const { explanation: saidBefore, answer: answerBefore, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
    expect({ ...answer, explanation: '' }).toEqual({ ...answerBefore, explanation: '' });
    expect(said).not.toBe(saidBefore);
  });
});
