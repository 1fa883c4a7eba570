import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

let fake: ConsoleFake;
beforeEach(async () => void (fake = await startConsoleFake()));
afterEach(() => fake.close());

interface Given {
  files?: Record<string, string | Uint8Array>;
  fields?: Record<string, string>;
}

async function post(kind: string, { files = {}, fields = {} }: Given) {
  const body = new FormData();
  for (const [name, content] of Object.entries(files))
    body.append('file', new Blob([content as string]), name);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const response = await fetch(`${fake.url}/api/v1/imports/${kind}`, { method: 'POST', body });
  return {
    status: response.status,
    body: (await response.json()) as { importId: string; reasonCode: string },
  };
}

describe('POST /imports/{kind}', () => {
  it('keeps the files, their names below the folder, and what was said with them', async () => {
    const large = 'x'.repeat(2_500_000);
    const { status, body } = await post('policy', {
      files: { 'a.md': '# A', 'über/b.pdf': large, 'c.txt': '' },
      fields: { source: 'docs', origin: '/home/ann/docs', options: '{"confidential":["all"]}' },
    });
    expect(status).toBe(202);
    const kept = fake.imports.get(body.importId)!;
    expect(kept.kind).toBe('policy');
    expect(kept.files.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['a.md', 3],
      ['über/b.pdf', 2_500_000],
      ['c.txt', 0],
    ]);
    expect(kept.request).toEqual({
      id: body.importId,
      source: 'docs',
      origin: '/home/ann/docs',
      options: { confidential: ['all'] },
    });
  });

  it('takes an address without a file, and the name of one file for its source', async () => {
    const address = await post('runbooks', { fields: { source: 'https://host/books.git' } });
    expect(fake.imports.get(address.body.importId)).toMatchObject({ files: [], request: { options: {} } });
    const file = await post('scam-reports', { files: { 'reports.csv': 'a' } });
    expect(fake.imports.get(file.body.importId)?.request).toMatchObject({
      source: 'reports.csv',
      origin: null,
    });
  });

  it.each<[string, string, Given, number]>([
    ['an unknown knowledge base', 'recipes', {}, 400],
    ['options that are no JSON', 'policy', { files: { a: 'x' }, fields: { options: '{' } }, 400],
    ['options that are no object', 'policy', { files: { a: 'x' }, fields: { options: '[1]' } }, 400],
    ['several files without the name of their folder', 'policy', { files: { a: 'x', b: 'y' } }, 400],
    ['a name that is too long', 'policy', { files: { ['n'.repeat(1_025)]: 'x' } }, 413],
    [
      'too many fields',
      'policy',
      { fields: Object.fromEntries([...Array(30).keys()].map((i) => [`f${i}`, 'x'])) },
      413,
    ],
  ])('refuses %s, and keeps nothing of it', async (_what, kind, given, status) => {
    expect((await post(kind, given)).status).toBe(status);
    expect(fake.imports.size).toBe(0);
  });

  it('refuses a body that is no form, or whose form breaks off', async () => {
    const send = (type: string, body: string) =>
      fetch(`${fake.url}/api/v1/imports/policy`, { method: 'POST', body, headers: { 'content-type': type } });
    expect((await send('text/plain', 'x')).status).toBe(415);
    expect((await send('application/json', '{}')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=x', '--x\r\nContent-Dis')).status).toBe(400);
    expect((await send('multipart/form-data;', 'x')).status).toBe(400);
    expect(fake.imports.size).toBe(0);
  });

  it('takes no form from a page of another site, and none at other paths', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'cross-site' };
    const foreign = await fetch(`${fake.url}/api/v1/imports/policy`, { method: 'POST', body: 'x', headers });
    expect(foreign.status).toBe(403);
    const other = await fetch(`${fake.url}/api/v1/alerts`, {
      method: 'POST',
      body: '--x',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(other.status).toBe(415);
  });

  it('asks for another try later when too much is unfinished', async () => {
    fake.imports.set('full', { kind: 'policy', request: null, files: [], state: {} });
    expect(await post('scam-patterns', {})).toMatchObject({
      status: 503,
      body: { reasonCode: 'overloaded' },
    });
  });
});

describe('GET /imports/{id}', () => {
  it('answers how far it is, and 404 for one that does not exist', async () => {
    const { body } = await post('policy', { files: { 'a.md': 'x' } });
    fake.imports.get(body.importId)!.state = {
      state: 'running',
      progress: { what: 'importing', done: 1, total: 2 },
    };
    const response = await fetch(`${fake.url}/api/v1/imports/${body.importId}`);
    expect(await response.json()).toMatchObject({ importId: body.importId, progress: { done: 1, total: 2 } });
    expect((await fetch(`${fake.url}/api/v1/imports/none`)).status).toBe(404);
  });
});
