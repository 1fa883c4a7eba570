import { readFileSync } from 'node:fs';
import { aRunSettings } from '@casefile/contracts/testing';
import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import type { Playbook } from '@casefile/pipeline/playbook';
import type { Rules } from '@casefile/pipeline/strategy';
import { aBrief, domainRisk, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { rules as scamRules, scamVerdict } from '@casefile/scam-verdict/playbook';
import { dispositionByRules } from './testing/disposition-by-rules.js';

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

describe('S3-44 T-33 both kinds read a message in one way', () => {
  it('by rules they dismiss the same messages', async () => {
    const differing: string[] = [];
    for (const { text } of messages) {
      const isDismissed = async (kind: Playbook, rules: Rules) =>
        (await dispositionByRules(kind, rules, text)) === 'dismiss';
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
