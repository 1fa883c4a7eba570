import { readFileSync } from 'node:fs';
import type { JsonObject } from '@casefile/contracts';
import { options as verdictOptions } from '@casefile/scam-verdict/options';
import { reasonsAgainstDismissal } from '@casefile/pipeline/scam/against-dismissal';
import { judgeByRules } from '@casefile/message-screening/judge-by-rules';
import { aBrief, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { aScreeningInput } from '@casefile/message-screening/testing/screening-builders';
import { decide } from '@casefile/message-screening/testing/screening-decisions';
import { readText } from '@casefile/pipeline/text-signals/read-text-signals';

interface Message {
  language: string;
  isScam: boolean;
  text: string;
}

const EVAL = new URL('../../../../samples/eval/', import.meta.url);
const linesOf = (name: string): Message[] =>
  readFileSync(new URL(name, EVAL), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Message);

/** What the tool `text_signals` says of a text. */
async function evidenceAbout(text: string) {
  const found = await readText(text);
  const result = { ...found, nearestPatterns: [], count: found.signals.length };
  return evidenceOf({ ...textSignals(), result: JSON.parse(JSON.stringify(result)) as JsonObject });
}

describe('S1-17 S3-44 without a model, a text in a language that the rules do not read', () => {
  const messages = linesOf('other-languages.jsonl');
  const languages = [...new Set(messages.map(({ language }) => language))];

  it('is there in 15 languages, with 20 scams and 20 harmless messages each', () => {
    const counts = languages.map((language) =>
      [true, false].map(
        (isScam) => messages.filter((m) => m.language === language && m.isScam === isScam).length,
      ),
    );
    expect(counts).toEqual(Array.from({ length: 15 }, () => [20, 20]));
  });

  it.each(languages)(
    'is never dismissed by either kind, and harmless ones are at most reviewed: %s',
    async (language) => {
      const wrong: unknown[] = [];
      for (const { text, isScam } of messages.filter((message) => message.language === language)) {
        const evidence = await evidenceAbout(text);
        const brief = { language: { code: language, certainty: 0.9 } };
        const { disposition } = decide(
          'strict',
          {},
          { brief, evidence, draft: judgeByRules(aScreeningInput(evidence)) },
        );
        const against = reasonsAgainstDismissal(aBrief({ entities: {} }), evidence, verdictOptions.read({}));
        if (disposition === 'dismiss' || against.length === 0 || (!isScam && disposition === 'act'))
          wrong.push([text, disposition, against]);
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('S1-16 the languages of the lexicons', () => {
  it.each(['messages', 'seen', 'development', 'unseen'])('are read as before: %s', async (name) => {
    const unread: string[] = [];
    for (const { text, language } of linesOf(`${name}.jsonl`))
      if (['en', 'hi', 'hi-Latn'].includes(language) && !(await readText(text)).isRead) unread.push(text);
    expect(unread.filter((text) => !NEVER_READ.includes(text))).toEqual([]);
  });
});

/** Texts of the sets with no common word, which were not read by words alone either. */
const NEVER_READ: string[] = [
  'bank holiday Monday so no bins till Tuesday btw',
  'टिकट मैंने करा ली है, 14 तारीख की, दोनों नीचे की सीट मिली',
];
