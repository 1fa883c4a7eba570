import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { ImportState } from '@casefile/contracts';
import { temporaryFolder, pause } from '@casefile/contracts/testing';
import { run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

/** A console that answers an import with these states, one after another. */
let server: Server;
let url: string;
let posted: { kind: string; form: FormData }[];
let states: Partial<ImportState>[];
let folder: string;

const state = (over: Partial<ImportState>): ImportState => ({
  importId: 'i-1',
  kind: 'policy',
  source: null,
  state: 'running',
  attempt: 1,
  progress: null,
  lines: [],
  complete: null,
  problem: null,
  createdAt: '2026-01-05T10:00:00.000Z',
  startedAt: null,
  doneAt: null,
  ...over,
});

beforeEach(async () => {
  [posted, states] = [[], []];
  folder = temporaryFolder('import');
  server = createServer((request, response) => {
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.method === 'GET') {
      const next = states.shift();
      if (next === undefined) request.socket.destroy();
      else send(200, state(next));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const kind = request.url?.split('/').at(-1) ?? '';
      const form = new Response(Buffer.concat(chunks), { headers }).formData();
      void form.then((read) => (posted.push({ kind, form: read }), send(202, { importId: 'i-1' })));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void server.close());

async function casefile(...args: string[]) {
  const terminal = memoryTerminal();
  const code = await run(['import', ...args], terminal);
  return { code, lines: terminal.lines, errors: terminal.errors };
}

describe('casefile import', () => {
  it('posts the files of a folder with their names in it, and prints each line once', async () => {
    await mkdir(join(folder, 'travel'));
    await writeFile(join(folder, 'b.md'), '# B');
    await writeFile(join(folder, 'travel', 'a.html'), '<h1>A</h1>');
    await writeFile(join(folder, 'notes.docx'), 'no');
    const lines: ImportState['lines'] = [
      { kind: 'note', line: 'summaries are written', json: null },
      { kind: 'result', line: 'new  b', json: { policyId: 'b' } },
      { kind: 'failure', line: 'a: too long', json: { policyId: 'a' } },
    ];
    states = [
      { state: 'waiting', attempt: 0 },
      { progress: { what: 'importing', done: 1, total: 200 }, lines: lines.slice(0, 1) },
      { state: 'done', complete: false, lines },
    ];
    const result = await casefile('policy', folder, '--console', url, '--confidential', '16.1', 'all');
    expect(result).toEqual({ code: 1, lines: ['new b'], errors: ['summaries are written', 'a: too long'] });
    const [{ kind, form } = { kind: '', form: new FormData() }] = posted;
    expect(kind).toBe('policy');
    expect([form.get('source'), form.get('origin')]).toEqual([folder, resolve(folder)]);
    expect(JSON.parse(String(form.get('options')))).toEqual({ confidential: ['16.1', 'all'] });
    const files = form.getAll('file') as File[];
    expect(files.map(({ name }) => name)).toEqual(['b.md', join('travel', 'a.html')]);
    expect(await files[0]?.text()).toBe('# B');
  });

  it('prints lines anew when another worker began the import again, and JSON for programs', async () => {
    const line = { kind: 'result' as const, line: '2 new', json: { inserted: 2 } };
    states = [
      { lines: [{ ...line, line: 'lost', json: { lost: true } }] },
      { attempt: 2, lines: [] },
      { attempt: 2, state: 'done', complete: true, lines: [line] },
    ];
    const args = ['scam-patterns', '--case', 'c-1', '--scam-type', 'x', '--console', url, '--json'];
    expect(await casefile(...args)).toEqual({
      code: 0,
      lines: ['{"lost":true}', '{"inserted":2}'],
      errors: [],
    });
    expect([...(posted[0]?.form.keys() ?? [])]).toEqual(['options']);
  });

  it('sends an address as it is', async () => {
    states = [{ state: 'done', complete: true }];
    await casefile('runbooks', 'https://host/books.git', '--ref', 'main', '--console', url);
    expect(posted[0]?.form.get('source')).toBe('https://host/books.git');
    expect(posted[0]?.form.getAll('file')).toEqual([]);
  });

  it('reports what the import failed with: every wrong line, or the reason', async () => {
    const file = join(folder, 'reports.csv');
    await writeFile(file, 'x');
    const errors = [{ path: 'line 2: riskScore', message: 'expected a number' }];
    states = [
      { state: 'failed', complete: false, problem: { reasonCode: 'invalid_input', detail: 'd', errors } },
    ];
    expect(await casefile('scam-reports', file, '--console', url)).toEqual({
      code: 1,
      lines: [],
      errors: ['casefile: not valid:', '  line 2: riskScore: expected a number'],
    });
    const problem = { reasonCode: 'unreadable_file', detail: 'nothing is at this address' };
    states = [{ state: 'failed', complete: false, problem }];
    const other = await casefile('runbooks', 'https://host/none', '--console', url, '--json');
    expect(JSON.parse(other.errors[0] ?? '')).toMatchObject({ reasonCode: 'unreadable_file' });
  });

  it('follows a console that is away for a moment', async () => {
    states = [{}];
    void pause(400, 'The console does not answer in the meantime.').then(() =>
      states.push({ state: 'done', complete: true }),
    );
    expect((await casefile('runbooks', 'https://host/a.md', '--console', url)).code).toBe(0);
  });

  it('names what to do when nothing answers', async () => {
    await writeFile(join(folder, 'a.md'), '# A');
    const { code, errors } = await casefile(
      'policy',
      join(folder, 'a.md'),
      '--console',
      'http://127.0.0.1:9',
    );
    expect({ code, errors }).toEqual({
      code: 1,
      errors: [
        'casefile: nothing answers at http://127.0.0.1:9: start Casefile (casefile up), or import with --direct into the database of this environment',
      ],
    });
  });

  it('refuses a file that is not there before it asks anybody', async () => {
    const { code, errors } = await casefile('policy', join(folder, 'no.md'), '--console', url);
    expect([code, posted.length, errors[0]]).toEqual([1, 0, expect.stringContaining('ENOENT')]);
  });
});
