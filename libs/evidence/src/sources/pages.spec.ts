import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProcessRunner, manualClock, temporaryFolder } from '@casefile/contracts/testing';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gitServer } from '../testing/git-server.js';
import { raw, startLocalService } from '../testing/local-service.js';
import { createPageReader } from './pages.js';

const context = { clock: manualClock(), signal: new AbortController().signal };
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

describe('S2-41 pages', () => {
  it('of alerts are read on hosts of the list, in public, without a token', async () => {
    const reader = createPageReader(
      ['docs.example', '*.wiki.example', 'localhost:8099', '127.0.0.1:8099'],
      inProcessRunner,
    );
    const may = (url: string) => reader.mayRead(new URL(url));
    expect(['https://docs.example/x', 'https://a.wiki.example/'].map(may)).toEqual([true, true]);
    expect(
      ['https://evil.example', 'https://docs.example.evil.test', 'https://u:p@docs.example/'].map(may),
    ).toEqual([false, false, false]);
    // Also when they are on the list: it says which hosts, never that they may be in-house.
    for (const url of ['http://127.0.0.1:8099/x', 'http://localhost:8099/x'])
      await expect(reader.pageOfAlert(new URL(url), context)).rejects.toMatchObject({
        reasonCode: 'address_refused',
      });
  });

  it('of the operator are read in-house too, with the token for their host alone', async () => {
    const service = await startLocalService(raw('# Disk', 200, { 'content-type': 'text/plain' }));
    try {
      const reader = createPageReader([], inProcessRunner);
      const bytes = await reader.page(new URL(`${service.baseUrl}/raw/disk.md?x=1`), 't0ken', context);
      expect(text(bytes)).toBe('# Disk');
      expect(service.requests).toMatchObject([
        { line: 'GET /raw/disk.md?x=1', headers: { authorization: 'Bearer t0ken' } },
      ]);
      service.answer(raw('', 302, { location: 'http://evil.example/' }));
      await expect(reader.page(new URL(service.baseUrl), null, context)).rejects.toMatchObject({
        reasonCode: 'redirect_refused',
      });
    } finally {
      await service.close();
    }
  });
});

describe('S2-41 repositories over smart HTTP', () => {
  const root = temporaryFolder('git-spec');
  const repository = join(root, 'books.git');
  const authorization: (string | undefined)[] = [];
  let server: Server;
  let url: string;
  const run = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'init.defaultBranch=main', ...args],
      {
        cwd: repository,
        env: { PATH: process.env['PATH'], HOME: root },
      },
    )
      .toString()
      .trim();
  const commit = (files: Record<string, string>): string => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(repository, name, '..'), { recursive: true });
      writeFileSync(join(repository, name), content);
    }
    run('add', '-A');
    run('commit', '-qm', 'x');
    return run('rev-parse', 'HEAD');
  };
  const read = (given: { ref?: string; token?: string } = {}, known: string | null = null) =>
    createPageReader([], inProcessRunner).repository({ url, ...given }, { endings: ['.md'], known }, context);

  let first: string;
  let second: string;
  beforeAll(async () => {
    mkdirSync(repository);
    run('init', '-q');
    first = commit({ 'books/disk.md': '# One', 'books/.hidden/x.md': '# No', 'tool.sh': 'x' });
    run('tag', '-am', 'the first', 'v1');
    second = commit({ 'books/disk.md': '# Two', 'README.MD': '# Read me' });
    run('branch', 'later');
    server = await gitServer(root, (header) => authorization.push(header));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/books.git/.git`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('give the files of one commit, by HEAD, branch or tag', async () => {
    const contents = async (ref?: string) => {
      const found = await read(ref === undefined ? {} : { ref });
      return [found?.commit, found?.files.map(({ path, bytes }) => `${path}: ${text(bytes ?? undefined)}`)];
    };
    const now = ['README.MD: # Read me', 'books/disk.md: # Two'];
    expect(await contents()).toEqual([second, now]);
    expect(await contents('later')).toEqual([second, now]);
    expect(await contents('v1')).toEqual([first, ['books/disk.md: # One']]);
  });

  it('are not read again while their commit is known', async () => {
    expect(await read({}, second)).toBeNull();
    expect((await read({}, first))?.commit).toBe(second);
  });

  it('do not send large files where their server can leave them out', async () => {
    run('checkout', '-qb', 'large');
    writeFileSync(join(repository, 'zeros.bin'), '');
    truncateSync(join(repository, 'zeros.bin'), 110_000_000);
    commit({ 'large.md': 'x'.repeat(1_100_000) });
    await expect(read({ ref: 'large' })).rejects.toMatchObject({
      reasonCode: 'too_large',
      message: expect.stringMatching(/zeros\.bin.* unpacks to 110,000,000 bytes.*uploadpack\.allowFilter/),
    });
    run('config', 'uploadpack.allowFilter', 'true');
    const found = await read({ ref: 'large' });
    expect(found?.files.map(({ path, bytes }) => [path, bytes?.length])).toEqual([
      ['README.MD', 9],
      ['books/disk.md', 5],
      ['large.md', undefined],
    ]);
    run('checkout', '-q', 'main');
  });

  it('are asked with the token, and say what is missing', async () => {
    await read({ token: 't0ken' });
    expect(authorization.at(-1)).toBe(`Basic ${Buffer.from('x-access-token:t0ken').toString('base64')}`);
    await expect(read({ ref: 'no' })).rejects.toMatchObject({
      reasonCode: 'unreadable_document',
      message: expect.stringContaining('"no"'),
    });
    const elsewhere = createPageReader([], inProcessRunner).repository(
      { url: url.replace('books', 'none') },
      { endings: ['.md'], known: null },
      context,
    );
    await expect(elsewhere).rejects.toMatchObject({ reasonCode: 'bad_answer' });
  });
});
