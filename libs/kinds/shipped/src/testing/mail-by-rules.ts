import type { JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import { extractEntities } from '@casefile/pipeline/entities/extract-entities';
import { readMailHeaders } from '@casefile/pipeline/mail/mail-signs';
import { readMail } from '@casefile/pipeline/mail/read-mail';
import { MAIL_HEADERS, readMailRequest } from '@casefile/pipeline/scam/mail-findings';
import { aBrief, aReview, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';
import { rules as scamRules, scamVerdict } from '@casefile/scam-verdict/playbook';

/** Looks up a telephone number. */
type LookUpPhone = (value: string) => Promise<JsonObject>;

/**
 * A mail or message as it is judged by the rules of both kinds, without other look-ups than those over itself.
 * @param lookUpPhone looks up its telephone numbers. Default: they are not looked up
 */
export async function mailByRules(
  stored: string,
  trustedAuthservIds: readonly string[] = [],
  lookUpPhone: LookUpPhone | null = null,
) {
  const read = await readMail(stored);
  const { entities, notes } = extractEntities(read.text);
  const brief = aBrief({
    text: read.text,
    entities,
    notes: [...read.notes, ...notes],
    mode: 'normal',
    ...(read.mail === null ? {} : { mail: read.mail }),
  });
  const { messageModel, ...found } = await readText(read.text);
  const result = { nearestPatterns: [], ...found, message_model: messageModel };
  const requests = readMailRequest({ ...brief, language: undefined });
  const mails = await Promise.all(
    requests.map(async ({ args }) => ({
      toolName: MAIL_HEADERS,
      entityType: '',
      entityValue: '',
      result: (await readMailHeaders(
        args['mail'] as never,
        { text: String(args['text']), language: String(args['language']) },
        trustedAuthservIds,
      )) as unknown as JsonObject,
    })),
  );
  const phones = await Promise.all(
    (lookUpPhone === null ? [] : (entities['phone'] ?? [])).map(async (entityValue) => ({
      toolName: 'phone_validator',
      entityType: 'phone',
      entityValue,
      result: (await lookUpPhone?.(entityValue)) ?? {},
    })),
  );
  const evidence = evidenceOf(
    { ...textSignals(), result: JSON.parse(JSON.stringify(result)) as JsonObject },
    ...mails,
    ...phones,
  );
  const verdicts = [
    { kind: scamVerdict, rules: scamRules },
    { kind: messageScreening, rules: screeningRules },
  ].map(({ kind, rules }) => {
    const settings = aRunSettings({ playbook: kind.name });
    const draft = { ...rules.answer({ brief, evidence, previous: {} }, '', settings), strategy: 'rules' };
    const report = { title: '', markdown: '', citations: [] };
    const unit = { unit: '', brief, evidence, draft, review: aReview(), report };
    return kind.decision.decide([unit], settings, '2026-01-05T10:00:09.000Z', 'run-1', 'case-1');
  });
  return {
    text: result,
    mail: mails[0]?.result ?? null,
    dispositions: verdicts.map(({ disposition }) => disposition),
    reasons: verdicts[0]?.reasons ?? [],
  };
}
