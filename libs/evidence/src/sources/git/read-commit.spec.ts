import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { CasefileError } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { run } from './read-commit.js';

const LIMITS = { objects: 1_000, objectBytes: 200_000, allBytes: 3_000_000 };
const context = { signal: new AbortController().signal, onProgress: () => undefined, keep: () => undefined };

/** An answer of a server, with the pack in pieces. */
function answer(pack: Buffer): Buffer {
  const line = (content: Buffer): Buffer =>
    Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < pack.length; at += 60_000) {
    pieces.push(line(Buffer.from('\x02on its way\n')));
    pieces.push(line(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])));
  }
  const nak = line(Buffer.from('NAK\n'));
  return Buffer.concat([line(Buffer.from(`shallow ${'a'.repeat(40)}`)), Buffer.from('0000'), nak, ...pieces]);
}

const read = (pack: Buffer, commit: string, limits = LIMITS, below = '') =>
  run(answer(pack), { host: 'git.example', commit, endings: ['.md'], below, limits }, context);

describe('S2-41 the pack of a commit', () => {
  const root = temporaryFolder('pack');
  const git = (args: string[], input = ''): Buffer =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: root },
      input,
      maxBuffer: 50_000_000,
    });
  const commit = (files: Record<string, string | Buffer>): string => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root);
    git(['init', '-q']);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    git(['add', '-A']);
    git(['commit', '-qm', 'x']);
    return git(['rev-parse', 'HEAD']).toString().trim();
  };
  const pack = (...options: string[]): Buffer =>
    git(['pack-objects', '--stdout', '--revs', '-q', ...options], 'HEAD\n');

  /** Texts of which Git keeps deltas alone. */
  const alike = Array.from({ length: 2_000 }, (_, i) => `line ${i * 7919} of the same`).join('\n');
  const books = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`books/${i % 5}/b${i}.md`, `# ${i}\n${alike}\n${i}`]),
  );

  it.each([
    ['deltas by their offset', ['--delta-base-offset', '--window=20']],
    ['deltas by the id of their base', ['--window=20']],
    ['whole objects', ['--window=0']],
  ])('is read with %s', async (_how, options) => {
    const id = commit({ ...books, 'tool.sh': 'x', '.hidden/a.md': 'x' });
    const files = await read(pack(...options), id);
    const read30 = Object.fromEntries(
      files.map(({ path, bytes }) => [path, Buffer.from(bytes ?? '').toString()]),
    );
    expect(read30).toEqual(books);
    expect((await read(pack(...options), id, LIMITS, 'books/3/')).map(({ path }) => path)).toEqual(
      Object.keys(books)
        .filter((path) => path.startsWith('books/3/'))
        .sort(),
    );
  });

  it('passes over a large file that is not asked for, and says of one that is that it is too large', async () => {
    const id = commit({
      'a.md': '# A',
      'large.md': Buffer.alloc(300_000, 65),
      'zeros.bin': Buffer.alloc(900_000),
    });
    const files = await read(pack(), id);
    expect(files.map(({ path, bytes }) => [path, bytes?.length])).toEqual([
      ['a.md', 3],
      ['large.md', undefined],
    ]);
  });

  it('is refused when it unpacks to more than the limit, with the object and what to do', async () => {
    const id = commit({ 'a.md': '# A', 'zeros.bin': Buffer.alloc(40_000_000) });
    await expect(read(pack(), id)).rejects.toMatchObject({
      reasonCode: 'too_large',
      message: expect.stringMatching(
        /^The repository on git\.example is too large\. Object \d of 4 \((one of )?(a\.md, )?zeros\.bin\) unpacks to 40,000,000 bytes, and at most 3,000,000 bytes in all are read\. Keep large files out/,
      ),
    });
    await expect(read(pack(), id, { ...LIMITS, objects: 3 })).rejects.toThrow(/It has 4 objects/);
  });

  it('is refused for deltas that make more than the limit', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`${i}.md`, `${i}\n${alike.repeat(3)}`.slice(0, 150_000)]),
    );
    const id = commit(large);
    const small = pack('--delta-base-offset', '--window=40');
    expect(small.length).toBeLessThan(200_000);
    await expect(read(small, id)).rejects.toThrow(/bytes in all are read/);
  });

  it('is refused when an object is larger than it says, before it is unpacked', async () => {
    const zeros = deflateSync(Buffer.alloc(50_000_000));
    const header = Buffer.from([0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 1]);
    for (const size of [[0x35], [0xb0 | 5, 0x80, 0x80, 0x01]]) {
      const lying = Buffer.concat([header, Buffer.from(size), zeros]);
      await expect(read(lying, 'a'.repeat(40))).rejects.toMatchObject({ reasonCode: 'unreadable_document' });
    }
  });

  it('that is broken in any way is refused with a reason', async () => {
    const id = commit({ ...books, 'large.bin': Buffer.alloc(250_000, 'abc') });
    const whole = pack('--delta-base-offset', '--window=20');
    const bytes = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255), cut: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(bytes, async ({ at, to, cut }) => {
        const broken = Buffer.from(cut ? whole.subarray(0, at) : whole);
        if (!cut) broken[at] = to;
        const error = await read(broken, id).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        expect(error === null || error instanceof CasefileError).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('that names one folder in another again and again is refused', async () => {
    commit({ 'a.md': 'x' });
    let tree = git(['write-tree']).toString().trim();
    for (let depth = 0; depth < 20; depth += 1)
      tree = git(['mktree'], ['a', 'b', 'c'].map((name) => `040000 tree ${tree}\t${name}\n`).join(''))
        .toString()
        .trim();
    const id = git(['commit-tree', tree, '-m', 'x']).toString().trim();
    const bomb = git(['pack-objects', '--stdout', '--revs', '-q'], `${id}\n`);
    await expect(read(bomb, id)).rejects.toThrow(/more than 100000 files and folders/);
  });

  it('is not there when the server answers with an error', async () => {
    const args = { host: 'git.example', commit: 'a'.repeat(40), endings: ['.md'], below: '', limits: LIMITS };
    const lines = ['0016ERR access denied!', '000fERR', '0000', 'hello', ''];
    for (const line of lines)
      await expect(run(Buffer.from(line), args, context)).rejects.toMatchObject({
        reasonCode: 'unreadable_document',
      });
  });
});
