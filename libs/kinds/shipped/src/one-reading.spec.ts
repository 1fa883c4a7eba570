import { readFileSync } from 'node:fs';
import type { JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import { extractEntities } from '@casefile/pipeline/entities/extract-entities';
import type { Playbook } from '@casefile/pipeline/playbook';
import type { Rules } from '@casefile/pipeline/strategy';
import {
  aBrief,
  aReview,
  domainRisk,
  evidenceOf,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';
import { rules as scamRules, scamVerdict } from '@casefile/scam-verdict/playbook';

interface Message {
  text: string;
  isScam: boolean;
}
const messages = ['messages', 'seen', 'other-languages'].flatMap((name) =>
  readFileSync(new URL(`../../../../samples/eval/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Message),
);

/** The disposition of a text by the rules of a kind. */
async function dispositionOf(kind: Playbook, rules: Rules, text: string) {
  const { messageModel, ...found } = await readText(text);
  const result = { nearestPatterns: [], ...found, message_model: messageModel };
  const evidence = evidenceOf({ ...textSignals(), result: JSON.parse(JSON.stringify(result)) as JsonObject });
  const brief = aBrief({ text, entities: extractEntities(text).entities, mode: 'normal' });
  const settings = aRunSettings({ playbook: kind.name });
  const draft = { ...rules.answer({ brief, evidence, previous: {} }, '', settings), strategy: 'rules' };
  const unit = { unit: '', brief, evidence, draft, review: aReview() };
  const report = { title: '', markdown: '', citations: [] };
  const at = '2026-01-05T10:00:09.000Z';
  return kind.decision.decide([{ ...unit, report }], settings, at, 'run-1', 'case-1').disposition;
}

describe('S3-44 T-33 both kinds read a message in one way', () => {
  it('by rules they dismiss the same messages', async () => {
    const differing: string[] = [];
    for (const { text } of messages) {
      const isDismissed = async (kind: Playbook, rules: Rules) =>
        (await dispositionOf(kind, rules, text)) === 'dismiss';
      if (
        (await isDismissed(scamVerdict, scamRules)) !== (await isDismissed(messageScreening, screeningRules))
      )
        differing.push(text);
    }
    expect(messages.length).toBeGreaterThan(900);
    expect(differing).toEqual([]);
  });

  it('they ask the same tools, and one of them known patterns apart', () => {
    const own = messageScreening.tools.filter((tool) => tool !== 'find_similar_scams');
    expect(own.toSorted()).toEqual(scamVerdict.tools.toSorted());
  });

  it('a domain of high risk counts in both', () => {
    const evidence = evidenceOf(textSignals('asks_money'), domainRisk('high'));
    const input = { brief: aBrief({ mode: 'normal' }), evidence, previous: {} };
    const settings = aRunSettings({ playbook: 'message-screening' });
    expect(screeningRules.answer(input, '', settings).answer).toMatchObject({ isScam: true });
  });
});
