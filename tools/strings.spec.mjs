import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from './house-figures.mjs';
import { root } from './root.mjs';
import { consoleStrings, GOLDEN, shownStrings, stringsInFile, stringsOfScope } from './strings.mjs';

describe('strings of the console and the command line', () => {
  // A new or changed string is a reviewed difference.
  it('are those of the reviewed list; `npm run strings` rewrites it', () => {
    expect(stringsOfScope('screen')).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  // The table of words for people is the last one of the page whose third column is headed `not`.
  const table = readFileSync(join(root, 'libs/README.md'), 'utf8').split('| word | meaning | not |').at(-1);
  const words = [...table.matchAll(/^\| \*\*([^*]+)\*\* \|[^|]*\| ([^|]+) \|$/gm)].map(([, word, not]) => [
    word,
    not,
  ]);
  // `--playbook` and `playbooks.KIND` are names of an option and of settings; the filters of a batch are fields of the API.
  const NAMES = /--playbook\b|\bplaybooks\.|by playbook, disposition/g;
  const texts = stringsOfScope('screen')
    .split('\n')
    .filter((line) => !line.startsWith('#') && /[A-Z ]/.test(line))
    .map((line) => line.replaceAll(NAMES, ''));

  it('S2-32 have a table of four words in libs/README.md', () => {
    expect(words.map(([word]) => word)).toEqual(['kind', 'verdict', 'answer', 'trial']);
    expect(texts.length).toBeGreaterThan(1_000);
  });

  it.each(words)('S2-32 say %s, not %s', (_, not) => {
    const list = not.split(', ');
    const others = new RegExp(`(?<![\\w/-])(?:${list.join('|')})s?(?![\\w/-])`, 'i');
    expect(others.test(`A ${list[0]} here`)).toBe(true);
    expect(texts.filter((line) => others.test(line))).toEqual([]);
  });

  it('S2-32 of the console are all shown, each with the values of its placeholders', () => {
    const files = sourceFiles().filter((file) => file.startsWith('apps/dashboard/src/'));
    const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')]);
    const strings = consoleStrings();
    const shown = texts.flatMap(([file, text]) => shownStrings(file, text));
    expect(shown.length).toBeGreaterThan(500);
    const wrong = shown.filter(({ key, values }) => {
      const message = strings[key] ?? strings[`${key}_other`] ?? '';
      const names = new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      return [...names].sort().join() !== values.join();
    });
    expect(wrong).toEqual([]);
    const source = texts.map(([, text]) => text).join('\n');
    const keys = Object.keys(strings).map((key) => key.replace(/^(count\..*)_(?:one|other)$/, '$1'));
    expect(keys.filter((key) => !source.includes(`'${key}'`))).toEqual([]);
  });

  it('are texts of elements, visible attributes, sentences and labels, each once', () => {
    const text = `
      import { Button } from './a button';
      const LABELS = { open: 'Open', state: 'open', why: \`No answer: \${reason}\` };
      type Word = 'Some word';
      export const Page = () => (
        <p className="quiet panel" title="closed">
          Cases of <strong>today</strong>: {count}
          <Button onClick={() => post('Open')}>{'Close ' + name}</Button>
        </p>
      );`;
    expect(stringsInFile('page.tsx', text)).toEqual([
      'Open',
      'No answer: {}',
      'Cases of <>: {} <>',
      'closed',
      'today',
      'Close {}',
    ]);
  });
});
