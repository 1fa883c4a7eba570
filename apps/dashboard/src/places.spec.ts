import { ENTRIES, docHref, entryAt, movedTo, tabAt } from './places.js';

describe('S2-32 the six entries of the menu', () => {
  it('are six, each at the address of its first page', () => {
    expect(ENTRIES.map(({ name }) => name)).toEqual([
      'Home',
      'Inbox',
      'Cases',
      'Operate',
      'Improve',
      'Settings',
    ]);
    for (const { href, tabs } of ENTRIES) expect(tabs[0].href).toBe(href);
  });

  it.each([
    ['/', 'Home', 'Home'],
    ['/inbox', 'Inbox', 'Inbox'],
    ['/cases/0190', 'Cases', 'Cases'],
    ['/cases/new', 'Cases', 'New case'],
    ['/operate/tools', 'Operate', 'Tools'],
    ['/prompts/a-kind/answer', 'Improve', 'Quality'],
    ['/improve/kinds/a-kind/trial', 'Improve', 'Quality'],
    ['/batches/0190', 'Improve', 'Trials'],
    ['/policies/claims/versions/1', 'Settings', 'Knowledge'],
  ])('%s belongs to %s, %s', (location, name, tab) => {
    const entry = entryAt(location);
    expect(entry?.name).toBe(name);
    expect(entry === null ? undefined : tabAt(entry, location)?.name).toBe(tab);
  });

  it('the documentation and unknown pages belong to none, and have a help page', () => {
    expect([entryAt('/docs/use/console'), entryAt('/operated')]).toEqual([null, null]);
    expect(docHref('/docs')).toBe('/docs/use/console');
    expect(docHref('/operate/destinations')).toBe('/docs/integrate/destinations');
  });

  it('earlier addresses lead to the present ones, with search and fragment', () => {
    expect(movedTo('/review', '?q=a', '')).toBe('/inbox?type=review&q=a');
    expect(movedTo('/destinations', '', '#silences')).toBe('/operate/destinations#silences');
    expect(movedTo('/configuration', '?q=budgets', '')).toBe('/settings?q=budgets');
    expect(movedTo('/cases', '', '')).toBeNull();
  });
});
