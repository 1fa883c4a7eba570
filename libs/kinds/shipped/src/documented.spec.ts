import { existsSync, readFileSync } from 'node:fs';
import { playbooks } from './loaded.js';

const root = new URL('../../../../', import.meta.url);
const page = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('the documentation of the shipped kinds', () => {
  it.each(playbooks.map(({ name }) => name))(
    'has a page of %s, which README and the path Use name',
    (name) => {
      expect(existsSync(new URL(`docs/use/${name}.md`, root))).toBe(true);
      expect(page('README.md')).toContain(`docs/use/${name}.md`);
      expect(page('docs/use/README.md')).toContain(`(${name}.md)`);
    },
  );

  it('are the rows of the table of README, in their order, and their number is its heading', () => {
    const rows = [...page('README.md').matchAll(/^\| \[([\w-]+)\]\(docs\/use\//gm)].map(([, name]) => name);
    expect(rows).toEqual(playbooks.map(({ name }) => name));
    const words = ['Four', 'Five', 'Six', 'Seven'];
    expect(page('README.md')).toContain(`## ${words[playbooks.length - 4]} kinds of case`);
  });

  it('have a question in the path Use, each once', () => {
    const [, section = ''] = page('docs/use/README.md').split('## Kinds of case\n');
    const named = [...(section.split('\n## ')[0] ?? '').matchAll(/^- \[[^\]]+\]\(([\w-]+)\.md\)/gm)];
    expect(named.map(([, name]) => name)).toEqual(playbooks.map(({ name }) => name));
  });

  it.each(playbooks)('T-32 shows what a wrong verdict of $name costs, and whom', ({ name, presenting }) => {
    const rows = Object.entries(presenting.harms ?? {}).map(
      ([disposition, { costs, whom, needs }]) => `| \`${disposition}\` | ${costs} | ${whom} | ${needs} |`,
    );
    expect(rows).toHaveLength(3);
    const [, section = ''] = page('docs/reference/shipped-kinds.md').split(`\n### ${name}\n`);
    for (const row of rows) expect(section.split('\n### ')[0]).toContain(row);
    expect(page(`docs/use/${name}.md`)).toContain('(../reference/shipped-kinds.md#wrong-verdicts)');
  });
});
