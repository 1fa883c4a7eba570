import { readFileSync } from 'node:fs';
import { GOLDEN, stringsInFile, stringsOfScope } from './strings.mjs';

describe('strings of the console and the command line', () => {
  // A new or changed string is a reviewed difference.
  it('are those of the reviewed list; `npm run strings` rewrites it', () => {
    expect(stringsOfScope('screen')).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  // `--playbook` and `playbooks.KIND` are names of an option and of settings.
  it('S2-32 say kind of case, not playbook', () => {
    const names = /--playbook\b|\bplaybooks\.|by playbook, disposition/g;
    const texts = stringsOfScope('screen')
      .split('\n')
      .filter((line) => !line.startsWith('#') && /[A-Z ]/.test(line));
    expect(texts.length).toBeGreaterThan(1_000);
    expect(texts.filter((line) => /\bplaybooks?\b/i.test(line.replaceAll(names, '')))).toEqual([]);
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
