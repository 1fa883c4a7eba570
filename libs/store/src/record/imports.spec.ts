import type { CaseStore, ImportLine, NewImport } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import type { StoreBench } from '../testing/store-bench.js';

const LEASE_MS = 10_000;
const line: ImportLine = { kind: 'result', line: '1 new', json: { inserted: 1 } };

const at = testRecord();

const request = (bench: StoreBench, over: Partial<NewImport> = {}): NewImport => ({
  id: bench.ids.id(),
  kind: 'policy',
  source: 'docs\u0000/claims.md',
  origin: null,
  options: { title: 'Claims' },
  ...over,
});
const piece = (file: number, name: string, at: number, text: string) => ({
  file,
  name,
  piece: at,
  bytes: Buffer.from(text),
});
async function waiting(store: CaseStore, bench: StoreBench, over: Partial<NewImport> = {}) {
  const one = request(bench, over);
  await store.imports.open(one.id, one.kind);
  await store.imports.ready(one);
  return one.id;
}
async function fileOf(store: CaseStore, importId: string, file: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of store.imports.pieces(importId, file)) pieces.push(bytes);
  return Buffer.concat(pieces);
}
const claimed = async (store: CaseStore) => (await store.imports.claim(LEASE_MS))!;

describe('imports into knowledge bases', () => {
  it('keeps the files in their order, until the import has ended', async () => {
    const { bench, store } = at();
    const one = request(bench);
    await store.imports.open(one.id, one.kind);
    expect(await store.imports.claim(LEASE_MS)).toBeNull();
    for (const given of [piece(1, 'b.md', 0, 'BB'), piece(0, 'a.md', 1, '2'), piece(0, 'a.md', 0, '1')])
      await store.imports.addPiece(one.id, given);
    // The response was lost and the client repeats the piece. It is stored once.
    await store.imports.addPiece(one.id, piece(0, 'a.md', 0, '1'));
    await store.imports.ready(one);
    await expect(store.imports.addPiece(one.id, piece(2, 'c.md', 0, 'C'))).rejects.toMatchObject({
      reasonCode: 'conflict',
    });
    const { lease, request: given, files } = await claimed(store);
    expect({ given, files }).toEqual({
      given: { ...one, source: 'docs\u2400/claims.md' },
      files: [
        { name: 'a.md', size: 2 },
        { name: 'b.md', size: 2 },
      ],
    });
    const contents = await Promise.all([0, 1].map((file) => fileOf(store, one.id, file)));
    expect(contents.map(String)).toEqual(['12', 'BB']);
    expect(await store.imports.end(lease, [line], { complete: true })).toBe(true);
    expect(await fileOf(store, one.id, 0)).toHaveLength(0);
    expect(await store.imports.get(one.id)).toMatchObject({
      state: 'done',
      complete: true,
      lines: [line],
      progress: null,
      problem: null,
      doneAt: expect.stringMatching(/Z$/),
    });
  });

  it('tells how far an import is, by the worker that has it alone', async () => {
    const { bench, store, passTime } = at();
    const id = await waiting(store, bench);
    const first = await claimed(store);
    const progress = { what: 'importing', done: 3, total: 10 };
    expect(await store.imports.report(first.lease, { progress, lines: [line] })).toBe(true);
    expect(await store.imports.get(id)).toMatchObject({
      state: 'running',
      attempt: 1,
      progress,
      lines: [line],
    });
    const waitsToo = await waiting(store, bench);
    expect(await store.imports.list(2)).toMatchObject([
      { importId: waitsToo, state: 'waiting', progress: null },
      { importId: id, kind: 'policy', state: 'running', progress },
    ]);
    expect(Object.keys((await store.imports.list(1))[0] ?? {})).not.toContain('lines');
    await passTime(LEASE_MS + 1);
    const second = await claimed(store);
    expect(await store.imports.get(id)).toMatchObject({ attempt: 2, progress: null, lines: [] });
    expect(await store.imports.report(first.lease, { progress, lines: [line] })).toBe(false);
    expect(await store.imports.end(first.lease, [], { complete: true })).toBe(false);
    expect(await store.imports.renew([first.lease, second.lease], LEASE_MS)).toEqual([first.lease]);
    expect(await store.imports.get(id)).toMatchObject({ state: 'running', lines: [] });
  });

  it('runs imports of one kind one after the other, those of others concurrently', async () => {
    const { bench, store } = at();
    const first = await waiting(store, bench);
    const second = await waiting(store, bench);
    const other = await waiting(store, bench, { kind: 'runbooks' });
    const one = await claimed(store);
    const two = await claimed(store);
    expect([one.request.id, two.request.id, await store.imports.claim(LEASE_MS)]).toEqual([
      first,
      other,
      null,
    ]);
    await store.imports.end(one.lease, [], { complete: false });
    expect((await claimed(store)).request.id).toBe(second);
  });

  it('is taken by one of many workers that claim at the same time', async () => {
    const { bench, store } = at();
    await waiting(store, bench);
    await waiting(store, bench);
    const claims = await Promise.all(Array.from({ length: 4 }, () => store.imports.claim(LEASE_MS)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  it('gives up an import whose workers died three times, and not one that was given back', async () => {
    const { bench, store, passTime } = at();
    const id = await waiting(store, bench);
    const next = await waiting(store, bench);
    for (let times = 0; times < 4; times += 1) await store.imports.release((await claimed(store)).lease);
    for (let crashes = 0; crashes < 3; crashes += 1) {
      expect((await claimed(store)).request.id).toBe(id);
      await passTime(LEASE_MS + 1);
    }
    expect((await claimed(store)).request.id).toBe(next);
    expect(await store.imports.get(id)).toMatchObject({
      state: 'failed',
      problem: { reasonCode: 'crashed_repeatedly' },
    });
  });

  it('removes what its client dropped or never finished', async () => {
    const { bench, store, passTime } = at();
    const [dropped, left] = [request(bench), request(bench)];
    for (const one of [dropped, left]) {
      await store.imports.open(one.id, one.kind);
      await store.imports.addPiece(one.id, piece(0, 'a.md', 0, 'A'));
    }
    await store.imports.discard(dropped.id);
    expect(await store.imports.get(dropped.id)).toBeNull();
    await passTime(3_600_001);
    await store.imports.open(bench.ids.id(), 'policy');
    expect(await store.imports.get(left.id)).toBeNull();
    expect(await store.imports.get('no-uuid')).toBeNull();
  });

  it('keeps the problem of an import that failed', async () => {
    const { bench, store } = at();
    const id = await waiting(store, bench);
    const problem = {
      reasonCode: 'invalid_input',
      detail: 'not valid',
      errors: [{ path: 'line 2', message: 'x' }],
    };
    await store.imports.end((await claimed(store)).lease, [], { problem });
    expect(await store.imports.get(id)).toMatchObject({ state: 'failed', complete: false, problem });
  });
});
