import { readFileSync } from 'node:fs';
import type { JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import { extractEntities } from '@casefile/pipeline/entities/extract-entities';
import { readMail } from '@casefile/pipeline/mail/read-mail';
import { aBrief, aReview, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';
import { rules as scamRules, scamVerdict } from '@casefile/scam-verdict/playbook';

interface Mail {
  what: string;
  mail: string[];
}
const { honest, phishing } = JSON.parse(
  readFileSync(new URL('./testing/mails.json', import.meta.url), 'utf8'),
) as Record<'honest' | 'phishing', Mail[]>;

const HEADERS = ['Date: Thu, 12 Nov 2026 09:00:00 +0000', 'Message-ID: <m1@letter.example>'];

/** The dispositions of a mail by the rules of both kinds, without look-ups. */
async function dispositions(lines: string[]): Promise<string[]> {
  const read = await readMail([...HEADERS, ...lines].join('\n'));
  const { messageModel, ...found } = await readText(read.text);
  const result = { nearestPatterns: [], ...found, message_model: messageModel };
  const evidence = evidenceOf({ ...textSignals(), result: JSON.parse(JSON.stringify(result)) as JsonObject });
  const { entities, notes } = extractEntities(read.text);
  const brief = aBrief({ text: read.text, entities, notes: [...read.notes, ...notes], mode: 'normal' });
  return [
    { kind: scamVerdict, rules: scamRules },
    { kind: messageScreening, rules: screeningRules },
  ].map(({ kind, rules }) => {
    const settings = aRunSettings({ playbook: kind.name });
    const draft = { ...rules.answer({ brief, evidence, previous: {} }, '', settings), strategy: 'rules' };
    const report = { title: '', markdown: '', citations: [] };
    const unit = { unit: '', brief, evidence, draft, review: aReview(), report };
    return kind.decision.decide([unit], settings, '2026-01-05T10:00:09.000Z', 'run-1', 'case-1').disposition;
  });
}

describe('S1-17 (b) S3-44 mails by rules', () => {
  it.each(honest)('an honest mail is dismissed: $what', async ({ mail }) => {
    expect(await dispositions(mail)).toEqual(['dismiss', 'dismiss']);
  });

  it.each(phishing)('a phishing mail is not dismissed: $what', async ({ mail }) => {
    expect(await dispositions(mail)).not.toContain('dismiss');
  });
});
