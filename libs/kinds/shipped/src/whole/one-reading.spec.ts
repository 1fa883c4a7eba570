import { readFileSync } from 'node:fs';
import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import type { Playbook } from '@casefile/pipeline/playbook';
import type { Rules } from '@casefile/pipeline/strategy';
import { rules as scamRules, scamVerdict } from '@casefile/scam-verdict/playbook';
import { dispositionByRules } from '../testing/disposition-by-rules.js';

interface Message {
  text: string;
  isScam: boolean;
}
const messages = ['messages', 'seen', 'other-languages'].flatMap((name) =>
  readFileSync(new URL(`../../../../../samples/eval/${name}.jsonl`, import.meta.url), 'utf8')
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
});
