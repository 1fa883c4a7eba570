// Patterns that are new since `node tools/worst-inputs/measured.mjs` was last run are linear. The whole tier
// measures all patterns and parsers.
import { isMeasured } from './measured.mjs';
import { trouble } from './measure-pattern.mjs';
import { parsers } from './parsers.mjs';
import { patternFiles } from './patterns.mjs';

const files = patternFiles();

describe('E-06 over its own worst input', () => {
  it('every parser that the whole tier measures reads a text', async () => {
    const list = await parsers();
    expect(list.length).toBeGreaterThan(50);
    for (const { run } of list) await run('Disk of db-1 is full since 10:00: pay at https://a.example');
  });

  it('every new regular expression that is written down is linear', async () => {
    const problems = [];
    for (const { path, literals } of files)
      for (const pattern of literals.filter((pattern) => !isMeasured(pattern))) {
        const steep = await trouble(pattern);
        if (steep !== null) problems.push(`${path}:${pattern.line} ${steep}`);
      }
    expect(files.flatMap(({ literals }) => literals).length).toBeGreaterThan(400);
    expect(problems).toEqual([]);
  }, 300_000);

  it.each([
    ['white space in two repeats', '^[A-Za-z0-9+/\\s]+={0,2}\\s*$'],
    ['an end that is looked for from everywhere', '["\'\\s]+$'],
    ['a word that begins again at every character', '\\S+@\\S+'],
  ])(
    'a pattern that is quadratic is found: %s',
    async (_what, source) => {
      expect(await trouble({ source, flags: 'g' })).toContain('over');
    },
    300_000,
  );
});
