import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileOf, pagesIn, sectionOf, SECTIONS } from './doc-sections.js';

const docs = new URL('../../../../../docs/', import.meta.url);
const readmeOf = (folder: string) => readFileSync(new URL(`${folder}/README.md`, docs), 'utf8');

describe('sections of the documentation', () => {
  it('are the folders with a page, by the order and title of its front matter', () => {
    const folders = readdirSync(docs).filter((name) => existsSync(new URL(`${name}/README.md`, docs)));
    const declared = folders.map((folder) => {
      const [, title = '', order = ''] =
        /^---\ntitle: (.+)\norder: (\d+)\n---\n/.exec(readmeOf(folder)) ?? [];
      return { section: [folder, title], order: Number(order) };
    });
    const inOrder = declared.toSorted((a, b) => a.order - b.order).map(({ section }) => section);
    expect(SECTIONS).toEqual(inOrder);
  });

  it.each(SECTIONS)('%s: its page and every listed page have a file', (folder) => {
    const pages = [
      folder,
      ...pagesIn(folder, readmeOf(folder)).map(({ href }) => href.slice('/docs/'.length)),
    ];
    expect(pages.map(sectionOf)).toEqual(pages.map(() => folder));
    expect(pages.filter((page) => !existsSync(new URL(fileOf(page), docs)))).toEqual([]);
  });

  it('have no page besides the index', () => {
    expect([fileOf(''), sectionOf('')]).toEqual(['README.md', null]);
  });
});

describe('pagesIn', () => {
  it('titles a page by its link in a list, and leaves out other folders', () => {
    const text = [
      'Read first: [the console](console.md), then [access](access.md).',
      '- [Access: keys and roles](access.md), and [limits](../reference/limits.md)',
      '1. [One store](store.md)',
    ].join('\n');
    expect(pagesIn('use', text)).toEqual([
      { href: '/docs/use/console', title: 'The console' },
      { href: '/docs/use/access', title: 'Access' },
      { href: '/docs/use/store', title: 'One store' },
    ]);
  });
});
