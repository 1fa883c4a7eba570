import { existsSync, readFileSync } from 'node:fs';
import { ENTRIES, type Entry } from '../../places.js';
import { GLOSSARY_WORDS, glossaryHref } from '../../ui/glossary.js';
import { headingAnchor } from './doc-links.js';

const TABS = (ENTRIES as readonly Entry[]).flatMap(({ tabs }) => tabs);
const docs = new URL('../../../../../docs/', import.meta.url);
const read = (page: string) => readFileSync(new URL(`${page}.md`, docs), 'utf8');

describe('links of the console to the documentation', () => {
  it.each(TABS)('the page $name links to a section that exists: $doc', ({ doc }) => {
    const [page = '', anchor] = doc.split('#');
    expect(existsSync(new URL(`${page}.md`, docs))).toBe(true);
    const headings = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      headingAnchor(heading),
    );
    if (anchor !== undefined) expect(headings).toContain(anchor);
  });

  it('S2-32 the first hour needs at most 12 words, which are listed', () => {
    const [, section = ''] = read('use/console').split('## Words of the first hour\n');
    const words = [...section.split('\n## ')[0]!.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, word]) => word);
    expect(words.length).toBeLessThanOrEqual(12);
    expect(words).toEqual(expect.arrayContaining(['alert', 'case', 'kind', 'verdict', 'trial']));
  });

  it('words of the glossary have an entry', () => {
    const entries = [...read('reference/glossary').matchAll(/^\| \*\*(.+?)\*\*/gm)].map(
      ([, word = '']) => word,
    );
    expect(GLOSSARY_WORDS.filter((word) => !entries.includes(word))).toEqual([]);
    expect(glossaryHref('Lane')).toBe('/docs/reference/glossary#lane');
    expect(glossaryHref('anything else')).toBeNull();
  });
});
