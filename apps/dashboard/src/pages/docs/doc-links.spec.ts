import { headingAnchor, linkTarget, withoutFrontMatter } from './doc-links.js';

describe('linkTarget', () => {
  it.each([
    ['README.md', 'use/incident.md', { kind: 'page', href: '/docs/use/incident' }],
    [
      'use/incident.md',
      '../reference/glossary.md#degraded-verdicts',
      { kind: 'page', href: '/docs/reference/glossary#degraded-verdicts' },
    ],
    ['integrate/queues.md', '#a-verdict', { kind: 'page', href: '/docs/integrate/queues#a-verdict' }],
    ['use/incident.md', '../README.md', { kind: 'page', href: '/docs' }],
    ['glossary.md', 'decisions/README.md', { kind: 'page', href: '/docs/decisions' }],
    ['settings.md', '../config/default.yaml', { kind: 'file', path: 'config/default.yaml' }],
    ['README.md', 'openapi.json', { kind: 'file', path: 'docs/openapi.json' }],
    ['README.md', 'https://example.org/a', { kind: 'outside', href: 'https://example.org/a' }],
  ])('of %s, %s', (file, href, expected) => {
    expect(linkTarget(file, href)).toEqual(expected);
  });
});

describe('anchorOf', () => {
  it('gives the anchor of a heading as GitHub does', () => {
    expect(headingAnchor('What to do when ...')).toBe('what-to-do-when-');
    expect(headingAnchor('`verdicts` (out)')).toBe('verdicts-out');
  });
});

describe('withoutFrontMatter', () => {
  it('removes the block at the beginning, and no rule in the text', () => {
    expect(withoutFrontMatter('---\ntitle: Use\norder: 2\n---\n\n# Use\n')).toBe('# Use\n');
    expect(withoutFrontMatter('# Use\n\n---\n\nText\n\n---\n')).toBe('# Use\n\n---\n\nText\n\n---\n');
  });
});
