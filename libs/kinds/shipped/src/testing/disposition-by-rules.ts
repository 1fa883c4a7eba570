import type { JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { extractEntities } from '@casefile/pipeline/entities/extract-entities';
import type { Playbook } from '@casefile/pipeline/playbook';
import type { Rules } from '@casefile/pipeline/strategy';
import {
  aBrief,
  aReview,
  evidenceOf,
  phoneCheck,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';

/** Parts of a run that a case of a test may change. */
interface Circumstances {
  mode?: 'normal' | 'strict';
  /** Whether a look-up found each phone number of the text to be valid and not suspicious. Default: no look-up. */
  arePhonesValid?: boolean;
}

/** Returns the disposition of a text by the rules of a kind, without a model. */
export async function dispositionByRules(
  kind: Playbook,
  rules: Rules,
  text: string,
  { mode = 'normal', arePhonesValid = false }: Circumstances = {},
) {
  const { messageModel, ...found } = await readText(text);
  const result = { nearestPatterns: [], ...found, message_model: messageModel };
  const { entities } = extractEntities(text);
  const phones = arePhonesValid ? (entities['phone'] ?? []) : [];
  const evidence = evidenceOf(
    { ...textSignals(), result: JSON.parse(JSON.stringify(result)) as JsonObject },
    ...phones.map((entityValue) => ({ ...phoneCheck(false), entityValue })),
  );
  const brief = aBrief({ text, entities, mode });
  const settings = aRunSettings({ playbook: kind.name });
  const draft = { ...rules.answer({ brief, evidence, previous: {} }, '', settings), strategy: 'rules' };
  const unit = { unit: '', brief, evidence, draft, review: aReview() };
  const report = { title: '', markdown: '', citations: [] };
  const at = '2026-01-05T10:00:09.000Z';
  return kind.decision.decide([{ ...unit, report }], settings, at, 'run-1', 'case-1').disposition;
}
