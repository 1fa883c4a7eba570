import fc from 'fast-check';
import { parseDocument } from '../parse-document.js';

const read = async (text: string) => {
  const { sections } = await parseDocument({ name: 'terms.md', bytes: Buffer.from(text) });
  return sections.map(({ title, level, text: own }) => [level, title, own]);
};

describe('S4-10 numbered bold paragraphs of Markdown', () => {
  it('make sections, with the text of their paragraph and of those after it', async () => {
    const text =
      '# Terms\n\nWelcome.\n\n**1. Definitions.**\n\nWords have a meaning.\n\n**2. Term.** The term is one year.\n\nIt ends.\n\n' +
      '**2.1 Renewal.** It renews.\n\n**3. Fees**\n\nFees are due.\n';
    expect(await read(text)).toEqual([
      [1, 'Terms', 'Welcome.'],
      [2, '1. Definitions', 'Words have a meaning.'],
      [2, '2. Term', 'The term is one year.\n\nIt ends.'],
      [3, '2.1 Renewal', 'It renews.'],
      [2, '3. Fees', 'Fees are due.'],
    ]);
  });

  it('begin again below each heading', async () => {
    const text = '# A\n\n**1. One.** a\n\n**2. Two.** b\n\n# B\n\n**1. Three.** c\n\n**2. Four.** d\n';
    expect((await read(text)).map(([level, title]) => `${level} ${title}`)).toEqual([
      '1 A',
      '2 1. One',
      '2 2. Two',
      '1 B',
      '2 1. Three',
      '2 2. Four',
    ]);
  });

  it.each([
    ['one number alone', '# T\n\n**1. Note.** Read this.\n\nMore.'],
    ['numbers that do not continue', '# T\n\n**7. Seven.** a\n\n**3. Three.** b'],
    ['bold words without a number', '# T\n\n**Note.** a\n\n**Also.** b'],
    ['bold sentences', '# T\n\n**1. You must pay, and at once, or leave!** a\n\n**2. You must go!** b'],
    ['items of a list', '# T\n\n1. **First.** a\n2. **Second.** b'],
  ])('stay text: %s', async (_what, text) => expect(await read(text)).toHaveLength(1));

  it('lose no word', async () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{2,8}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
        const text = words.map((one, i) => `**${i + 1}. ${one}.** Text of ${one}.`).join('\n\n');
        const all = JSON.stringify(await read(`# T\n\n${text}`));
        for (const one of words) expect(all.split(one).length).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 30 },
    );
  });
});
