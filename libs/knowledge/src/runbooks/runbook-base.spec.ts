import { testRecord } from '@casefile/store/testing';
import { readRunbook } from './read-runbook.js';
import { postgresRunbooks, type RunbookInput } from './runbook-base.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const runbook = (name: string, text: string): RunbookInput =>
  readRunbook({ name: `${name}.md`, bytes: bytes(text), source: `books/${name}.md`, address: null });

const record = testRecord();
const base = () => postgresRunbooks(record().store.database);

describe('runbooks', () => {
  const outcomes = async (origin: string, ...books: RunbookInput[]) =>
    (await base().importRunbooks(origin, [books])).map(({ name, outcome }) => `${name} ${outcome}`);
  const names = async () => (await base().listRunbooks()).map(({ name }) => name);

  it('S2-41 are kept with what they say of themselves', async () => {
    const text =
      '---\ntitle: Full disk\nalerts: DiskFull\nlabels: { team: storage, tier: 1 }\n---\n# Steps\n';
    const given = runbook('disk', text);
    await base().importRunbooks('books', [[{ ...given, address: 'https://wiki.example/disk' }]]);
    const [found] = await base().listRunbooks();
    expect(found).toEqual({
      name: 'disk',
      version: 1,
      title: 'Full disk',
      pin: `sha256:${given.digest}`,
      source: 'books/disk.md',
      address: 'https://wiki.example/disk',
      alerts: ['DiskFull'],
      labels: { team: 'storage', tier: '1' },
      characters: '# Steps'.length,
      importedAt: found?.importedAt,
      origin: 'books',
      heading: 'Steps',
    });
    expect(await base().runbookText('disk', 1)).toBe('# Steps');
  });

  it('S2-41 keep every text by its pin; one that comes again is the version it was', async () => {
    const texts = ['# One', '# Two', '# Two', '# One'];
    const said: string[] = [];
    for (const text of texts) said.push(...(await outcomes('books', runbook('disk', text))));
    expect(said).toEqual(['disk new', 'disk changed', 'disk unchanged', 'disk changed']);
    const versions = await base().runbookVersions('disk');
    expect(versions.map(({ version, text }) => [version, text])).toEqual([
      [1, '# One'],
      [2, '# Two'],
    ]);
    expect(new Set(versions.map(({ pin }) => pin)).size).toBe(2);
  });

  it('S2-41 that their origin has no more are found no more, and their texts stay', async () => {
    const [a, b] = [runbook('a', '# A'), runbook('b', '# B')];
    expect(await outcomes('books', a, b)).toEqual(['a new', 'b new']);
    expect(await outcomes('elsewhere', runbook('c', '# C'))).toEqual(['c new']);
    expect(await outcomes('books', a)).toEqual(['a unchanged', 'b gone']);
    expect(await names()).toEqual(['a', 'c']);
    expect(await base().runbookText('b', 1)).toBe('# B');
    expect(await outcomes('books', a, b)).toEqual(['a unchanged', 'b new']);
  });

  it('S2-41 stay while what they are now cannot be read, and move with their file', async () => {
    const [a, b] = [runbook('a', '# A'), runbook('b', '# B')];
    await base().importRunbooks('books', [[a, b]]);
    await base().importRunbooks('books', [[a]], ['b']);
    expect(await names()).toEqual(['a', 'b']);
    await base().importRunbooks('other', [[{ ...a, source: 'other/a.md' }]]);
    await base().importRunbooks('books', [[b]]);
    expect((await base().listRunbooks()).map(({ name, source }) => [name, source])).toEqual([
      ['a', 'other/a.md'],
      ['b', 'books/b.md'],
    ]);
  });

  it('S2-41 are put in all or none, with the field that is wrong', async () => {
    const wrong = { ...runbook('b', '# B'), pin: 'latest' };
    await expect(base().importRunbooks('books', [[runbook('a', '# A'), wrong]])).rejects.toMatchObject({
      problems: [{ path: '[1].pin' }],
    });
    expect(await names()).toEqual([]);
    expect(await base().runbookVersions('a')).toEqual([]);
    expect(await base().runbookText('a', 1)).toBeNull();
  });
});
