import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'libs/README.md',
  'docs/walk.md',
  'docs/glossary.md',
];

function read(page) {
  return readFileSync(join(root, page), 'utf8');
}

describe('documentation', () => {
  it.each(PAGES)('%s: every source file that it names exists', (page) => {
    const named = [...read(page).matchAll(/`((?:apps|libs|tools|config|samples)\/[\w./-]+)`/g)].map(
      ([, path]) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(PAGES)('%s: every relative link leads to a file', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path]) => path);
    expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
  });

  it('the walk names the file of every stage', () => {
    const walk = read('docs/walk.md');
    const stages = [...read('libs/pipeline/src/flow.ts').matchAll(/from '\.(\/stages\/[\w-]+)\.js'/g)].map(
      ([, path]) => path,
    );
    expect(stages.length).toBeGreaterThan(0);
    expect(stages.filter((path) => !walk.includes(`libs/pipeline/src${path}.ts`))).toEqual([]);
  });
});
