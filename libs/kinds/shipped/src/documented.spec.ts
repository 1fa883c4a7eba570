import { existsSync, readFileSync } from 'node:fs';
import { harmsTable } from '@casefile/pipeline/harms';
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

  const withHarms = playbooks.flatMap(({ name, presenting: { harms } }) =>
    harms === undefined ? [] : [{ name, harms }],
  );
  it.each(withHarms)('T-32 shows what a wrong verdict of $name costs, and whom', ({ name, harms }) => {
    expect(page(`docs/use/${name}.md`)).toContain(harmsTable(harms));
  });
});
