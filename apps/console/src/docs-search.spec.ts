import { fileURLToPath } from 'node:url';
import { searchSections, sectionsBelow, sectionsOf } from './docs-search.js';

const sections = sectionsBelow(fileURLToPath(new URL('../../../docs/', import.meta.url)));
const found = (query: string) =>
  searchSections(sections, query).map(({ file, heading }) => `${file}#${heading ?? ''}`);

describe('sectionsOf', () => {
  it('divides a page at its headings, and leaves out front matter, marks and headings in code', () => {
    const page = [
      '---\ntitle: Use\n---\n\n# The page\n\nFirst [words](a.md).\n',
      '## One `name`\n\n| a | b |\n|---|---|\n| **c** | d |\n',
      '```sh\n## no heading\n```\n',
    ].join('\n');
    expect(sectionsOf('use/a.md', page)).toMatchObject([
      { title: 'The page', heading: null, text: 'First words.' },
      { title: 'The page', heading: 'One `name`', text: 'a b c d' },
    ]);
  });
});

describe('searchSections', () => {
  it.each([
    ['lane', 'reference/glossary.md#lane'],
    ['degraded verdicts', 'reference/glossary.md#Degraded verdicts'],
    ['silences', 'integrate/silences.md#'],
    ['backup', 'operate/data.md#Backup'],
    ['stale_lease', 'reference/reason-codes.md#'],
    ['Alertmanager Slack', 'tutorials/alertmanager-to-slack.md#'],
  ])('finds for "%s" among the first three %s', (query, section) => {
    expect(
      found(query)
        .slice(0, 3)
        .some((one) => one.startsWith(section)),
    ).toBe(true);
  });

  it('returns only sections with every word, at most 20, with a part of their text', () => {
    const results = searchSections(sections, 'worker lease');
    expect(results.length).toBeGreaterThan(3);
    expect(results.length).toBeLessThanOrEqual(20);
    for (const { title, heading, excerpt } of results) {
      expect(excerpt.length).toBeLessThanOrEqual(204);
      expect(`${title} ${heading ?? ''} ${excerpt}`.toLowerCase()).toMatch(/worker|lease/);
    }
    expect(found('lease xylophone')).toEqual([]);
  });

  it.each(['', '   ', '*?[', '|'.repeat(100_000)])('finds nothing for a query without words: %#', (query) => {
    expect(found(query)).toEqual([]);
  });
});
