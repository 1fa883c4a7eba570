import { researchOutcomeSchema } from '@casefile/contracts';
import questions from './testing/questions-in-ten-languages.json' with { type: 'json' };
import { playResearch, type Played } from './testing/research-world.js';
import { sourcesIn } from './result.js';

const unescaped = (text: string) => text.replaceAll('\\', '');

/** Returns the passages that the report of a research does not quote with the citation of their source. */
function unquoted(played: Played, deciding: readonly { url: string; words: string }[]) {
  const { items } = researchOutcomeSchema.parse(played.verdict.outcome);
  const quotes = unescaped(items[0]!.description)
    .split('\n')
    .filter((line) => line.startsWith('> '));
  const evidence = played.artifacts.find(({ name }) => name === 'evidence')!.body;
  const sources = sourcesIn(evidence as never);
  return deciding.filter(({ url, words }) => {
    const id = sources.find(({ source }) => source.url === url)?.id;
    return !quotes.some((line) => line.includes(words) && line.includes(`[${id}]`));
  });
}

const play = ({ query, items }: (typeof questions)[number]) =>
  playResearch({ query, sourceMode: 'discovery', items });

describe('a report by rules on sources in several languages', () => {
  it('T-07 quotes the passages that decide the question', async () => {
    const missed: string[] = [];
    for (const question of questions)
      missed.push(...unquoted(await play(question), question.deciding).map(({ url }) => new URL(url).host));
    // Its sentence has a number in words, and no word of the question.
    expect(missed).toEqual(['www.rainews.it']);
  });

  it.each(questions.map((one) => [one.language, one] as const))(
    'S5-28 marks no literal quotation as unsupported: %s',
    async (_language, question) => {
      const { verdict } = await play(question);
      const { items } = researchOutcomeSchema.parse(verdict.outcome);
      expect(items[0]!.description).not.toMatch(/not found in a source|找不到相符的內容/);
    },
  );
});
