import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CasefileError, silentLogger } from '@casefile/contracts';
import { inProcessRunner, manualClock, temporaryFolder } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { createRunbooks, NO_RUNBOOK_SETTINGS } from './find-runbook.js';
import type { RunbookReader, RunbookSource } from './read-source.js';
import { postgresRunbooks } from './runbook-base.js';
import { sourceAt } from './runbook-importer.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const COMMIT = 'c'.repeat(40);
const ALERT = { labels: { team: 'storage' }, alertType: 'DiskFull' };
const MINUTE = 60_000;

const record = testRecord();
let folder: string;
beforeEach(() => (folder = temporaryFolder('runbooks')));
const put = (name: string, text: string | Uint8Array): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

function over(sources: RunbookSource[], reader: Partial<RunbookReader> = {}, usual: string | null = null) {
  const clock = manualClock();
  const base = postgresRunbooks(record().store.database);
  const rules = [{ runbook: 'disk', labels: { team: 'storage' }, alerts: [] }];
  const ports = {
    settings: { rules, default: usual, sources },
    reader: { ...NO_RUNBOOK_SETTINGS.reader, ...reader },
  };
  const runbooks = createRunbooks(base, { ...ports, runner: inProcessRunner }, silentLogger);
  const context = { clock, signal: new AbortController().signal };
  return { clock, base, runbooks, context, find: (alert = ALERT) => runbooks.findRunbook(alert, context) };
}

describe('S2-41 sources of runbooks', () => {
  it('are folders of Markdown files, read again after a minute; what is gone is found no more', async () => {
    put('disk.md', '# One');
    put('team/other.md', '# Other');
    const { find, clock, base } = over([{ folder, pages: 'https://wiki.example/books' }]);
    expect(await find()).toMatchObject({ title: 'One', source: join(folder, 'disk.md') });
    expect((await base.listRunbooks()).map(({ name, address }) => [name, address])).toEqual([
      ['disk', 'https://wiki.example/books/disk.md'],
      ['team-other', 'https://wiki.example/books/team/other.md'],
    ]);
    const first = (await base.runbookVersions('disk'))[0]?.pin;
    put('disk.md', '# Two');
    clock.advance(MINUTE - 1);
    expect(await find()).toMatchObject({ title: 'One', pin: first });
    clock.advance(1);
    expect(await find()).toMatchObject({ title: 'Two' });
    // What an older run was given is still there, by its pin.
    expect((await base.runbookVersions('disk')).find(({ pin }) => pin === first)?.text).toBe('# One');
    rmSync(join(folder, 'disk.md'));
    clock.advance(MINUTE);
    await expect(find()).rejects.toMatchObject({ reasonCode: 'unknown_runbook' });
  });

  it('keep what a file said while what it says now is wrong', async () => {
    put('disk.md', '# One');
    put('other.md', '# Other');
    const { find, clock } = over([{ folder }]);
    await find();
    put('disk.md', '---\nlabels: 7\n---\n# Two');
    clock.advance(MINUTE);
    expect(await find()).toMatchObject({ title: 'One' });
  });

  it('that cannot be read: the default is taken, and says why; without one it fails', async () => {
    put('usual.md', '# Usual');
    let isAway = false;
    const page = async () => {
      if (isAway) throw new CasefileError('network', 'The connection to wiki.example failed');
      return bytes('# Disk');
    };
    const url = 'https://wiki.example/raw/disk.md';
    const both = over([{ url }, { folder }], { page }, 'usual');
    const alone = over([{ url }], { page });
    for (const { find } of [both, alone]) expect(await find()).toMatchObject({ title: 'Disk', source: url });
    isAway = true;
    for (const { clock } of [both, alone]) clock.advance(MINUTE);
    const answer = await both.find();
    expect(answer).toMatchObject({ title: 'Usual', by: 'default' });
    expect(answer.why).toContain('disk, cannot be read: The connection to wiki.example failed.');
    await expect(alone.find()).rejects.toMatchObject({ reasonCode: 'network' });
    isAway = false;
    for (const { clock } of [both, alone]) clock.advance(MINUTE);
    for (const { find } of [both, alone]) expect(await find()).toMatchObject({ title: 'Disk' });
  });

  it('that could never be read are named where an alert has no runbook', async () => {
    const url = 'https://wiki.example/raw/disk.md';
    const page = () => Promise.reject(new CasefileError('too_large', 'The page has more than 1 MB.'));
    const { find } = over([{ url }], { page });
    expect(await find({ labels: {}, alertType: 'Other' } as never)).toEqual({
      found: false,
      why: `No rule fits this alert, and there is no default runbook. The source ${url} cannot be read: The page has more than 1 MB.`,
    });
  });

  it('are asked once by many that ask at the same time, and of one name the first counts', async () => {
    let asked = 0;
    const page: RunbookReader['page'] = async ({ hostname }) => {
      asked += 1;
      return bytes(`# ${hostname}`);
    };
    const sources = [{ url: 'https://b.example/disk.md' }, { url: 'https://a.example/disk.md' }];
    const { find } = over(sources, { page });
    const answers = await Promise.all(Array.from({ length: 20 }, () => find()));
    expect(new Set(answers.map((answer) => answer.found && answer.title))).toEqual(new Set(['b.example']));
    expect(asked).toBe(2);
  });

  it('are pages that a rule or the default names by their address', async () => {
    const page: RunbookReader['page'] = async (address, token) => bytes(`# ${address.href} ${token}`);
    const { find } = over([], { page }, 'https://github.com/acme/books/blob/main/usual.md');
    const answer = await find({ labels: { team: 'x' }, alertType: '' } as never);
    const raw = 'https://raw.githubusercontent.com/acme/books/main/usual.md';
    expect(answer).toMatchObject({ found: true, by: 'default', title: `${raw} null` });
  });

  it('are repositories, pinned to their commit; an unchanged text keeps the pin it was first read at', async () => {
    const commits = [COMMIT, COMMIT, 'd'.repeat(40)];
    const known: (string | null)[] = [];
    const repository: RunbookReader['repository'] = async (_repository, wanted) => {
      known.push(wanted.known);
      const commit = commits.shift() ?? COMMIT;
      if (commit === wanted.known) return null;
      const files = [
        { path: 'books/disk.md', bytes: bytes('# Disk') },
        { path: 'README.md', bytes: bytes('# Not a runbook') },
      ];
      return { commit, files: files.filter(({ path }) => path.startsWith(wanted.below ?? '')) };
    };
    const { find, clock, base } = over(
      [{ git: 'https://github.com/acme/books.git', ref: 'main', path: '/books' }],
      { repository },
    );
    const address = 'https://github.com/acme/books/blob/main/disk.md';
    for (let i = 0; i < 3; i += 1) {
      expect(await find()).toMatchObject({
        pin: `git:${COMMIT}`,
        source: address.replace('main/', 'main/books/'),
      });
      clock.advance(MINUTE);
    }
    expect(known).toEqual([null, COMMIT, COMMIT]);
    expect((await base.listRunbooks()).map(({ name }) => name)).toEqual(['disk']);
  });

  it('read by hand tell the outcome of each file, by name', async () => {
    put('a.md', '# A');
    put('b.md', '---\nalerts: { x: 1 }\n---\n# B');
    put('c.md', new Uint8Array([0xff, 0xfe]));
    const { runbooks, context } = over([]);
    const first = await runbooks.importRunbooks({ folder }, context);
    expect(first.runbooks).toMatchObject([{ name: 'a', outcome: 'new' }]);
    expect(first.wrong).toMatchObject([
      { file: join(folder, 'b.md'), error: { reasonCode: 'invalid_input' } },
      { file: join(folder, 'c.md'), error: { reasonCode: 'unknown_encoding' } },
    ]);
    put('a.md', '# A, anew');
    put('b.md', '# B');
    rmSync(join(folder, 'c.md'));
    const again = await runbooks.importRunbooks({ folder }, context);
    expect(again.runbooks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['a', 'changed'],
      ['b', 'new'],
    ]);
  });
});

describe('S2-41 what is imported by hand', () => {
  it.each([
    ['books', {}, { folder: 'books' }],
    ['https://wiki.example/disk.md', {}, { url: 'https://wiki.example/disk.md' }],
    ['https://git.example/books.git', { ref: 'v1' }, { git: 'https://git.example/books.git', ref: 'v1' }],
    ['https://git.example/books', { git: true, path: 'x' }, { git: 'https://git.example/books', path: 'x' }],
    ['https://github.com/acme/books', {}, { git: 'https://github.com/acme/books.git' }],
    [
      'https://github.com/acme/books/tree/main/a/b',
      {},
      { git: 'https://github.com/acme/books.git', ref: 'main', path: 'a/b' },
    ],
    [
      'https://github.com/acme/books/blob/main/a.md',
      {},
      { url: 'https://github.com/acme/books/blob/main/a.md' },
    ],
  ])('%s %j', (path, options, source) => {
    expect(sourceAt(path, { git: false, ...options })).toEqual(source);
  });

  it.each([
    ['books', { ref: 'main' }, '--ref'],
    ['https://me:secret@git.example/books.git', {}, 'address'],
  ])('%s %j is refused', (path, options, field) => {
    expect(() => sourceAt(path, { git: false, ...options })).toThrow(field);
  });
});
