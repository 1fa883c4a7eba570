import { sectionLink } from './search-docs.js';

describe('sectionLink', () => {
  it('leads to the heading of the section, or to the page for its beginning', () => {
    const section = { file: 'integrate/queues.md', title: 'Queues', excerpt: '' };
    expect(sectionLink({ ...section, heading: '`verdicts` (out)' })).toEqual({
      href: '/docs/integrate/queues#verdicts-out',
      title: 'Queues: verdicts (out)',
      excerpt: '',
    });
    expect(sectionLink({ ...section, heading: null })).toMatchObject({
      href: '/docs/integrate/queues',
      title: 'Queues',
    });
  });
});
