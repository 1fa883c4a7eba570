import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '@casefile/contracts/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { raw, startLocalService } from '../testing/local-service.js';
import { createPageReader } from './pages.js';

const context = { clock: manualClock(), signal: new AbortController().signal };
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

describe('S2-41 pages', () => {
  it('of alerts are read on hosts of the list, in public, without a token', async () => {
    const reader = createPageReader(['docs.example', '*.wiki.example', 'localhost:8099', '127.0.0.1:8099']);
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
      const reader = createPageReader([]);
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

/** `git http-backend` behind a server on loopback, as a web server would run it. */
async function gitServer(root: string, authorization: (string | undefined)[]): Promise<Server> {
  const backend = join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend');
  const server = createServer((request, response) => {
    authorization.push(request.headers.authorization);
    const url = new URL(request.url ?? '/', 'http://x');
    const child = spawn(backend, {
      env: {
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      const headers = all
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]);
      const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
      response.end(all.subarray(end + 4));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

describe('S2-41 repositories over smart HTTP', () => {
  const root = mkdtempSync(join(tmpdir(), 'casefile-git-spec-'));
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
    createPageReader([]).repository({ url, ...given }, { endings: ['.md'], known }, context);

  let first: string;
  let second: string;
  beforeAll(async () => {
    mkdirSync(repository);
    run('init', '-q');
    first = commit({ 'books/disk.md': '# One', 'books/.hidden/x.md': '# No', 'tool.sh': 'x' });
    run('tag', '-am', 'the first', 'v1');
    second = commit({ 'books/disk.md': '# Two', 'README.MD': '# Read me' });
    run('branch', 'later');
    server = await gitServer(root, authorization);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/books.git/.git`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(root, { recursive: true, force: true });
  });

  it('give the files of one commit, by HEAD, branch or tag', async () => {
    const contents = async (ref?: string) => {
      const found = await read(ref === undefined ? {} : { ref });
      return [found?.commit, found?.files.map(({ path, bytes }) => `${path}: ${text(bytes)}`)];
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

  it('are asked with the token, and say what is missing', async () => {
    await read({ token: 't0ken' });
    expect(authorization.at(-1)).toBe(`Basic ${Buffer.from('x-access-token:t0ken').toString('base64')}`);
    await expect(read({ ref: 'no' })).rejects.toMatchObject({
      reasonCode: 'unreadable_document',
      message: expect.stringContaining('"no"'),
    });
    const elsewhere = createPageReader([]).repository(
      { url: url.replace('books', 'none') },
      { endings: ['.md'], known: null },
      context,
    );
    await expect(elsewhere).rejects.toMatchObject({ reasonCode: 'bad_answer' });
  });
});
