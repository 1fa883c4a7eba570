import {
  NO_CHANGES,
  CasefileError,
  InvalidInput,
  silentLogger,
  type BoundedTask,
  type ImportState,
} from '@casefile/contracts';
import { countingIds, inProcessRunner, until } from '@casefile/contracts/testing';
import type { Import, Importer, ImportFile, ImportSource } from '@casefile/knowledge';
import { testRecord } from '@casefile/store/testing';
import { ImportWorker, type ImportWorkerPorts } from './import-worker.js';

const LIMITS = { intervalMs: 5, aloneMs: 5, leaseMs: 10_000 };
const record = testRecord();
const ids = countingIds(3);
const workers: ImportWorker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

type Work = (source: ImportSource<ImportFile>, options: object) => Promise<Import>;

function workerOf(work: Work, limits = LIMITS, imports = record().store.imports): ImportWorker {
  const prepare: Importer['prepare'] = (source, options) => async (ports) =>
    (await work(source, options))(ports);
  const importers = [{ name: 'policy', prepare }];
  const ports = { knowledge: { runner: inProcessRunner } } as ImportWorkerPorts['ports'];
  const worker = new ImportWorker(
    { imports, ports, changes: NO_CHANGES, log: silentLogger, importers },
    limits,
  );
  workers.push(worker);
  return worker;
}

const TEXT: BoundedTask<null, string> = {
  what: 'The file',
  advice: 'Divide it.',
  limits: { memoryMb: 100, timeMs: 1_000 },
  module: new URL('none:'),
  load: async () => ({ run: async (bytes) => bytes.toString() }),
};

async function post(files: Record<string, string>, source: string | null, origin: string | null = null) {
  const { imports } = record().store;
  const id = ids.id();
  await imports.open(id, 'policy');
  for (const [file, [name, text]] of Object.entries(files).entries())
    await imports.addPiece(id, { file, name, piece: 0, bytes: Buffer.from(text) });
  await imports.ready({ id, source, origin, options: { title: 'T' } });
  return id;
}

async function stateOf(what: string, id: string, is: (state: ImportState) => boolean): Promise<ImportState> {
  let state: ImportState | null = null;
  await until(
    () => `the import ${what}: ${JSON.stringify(state)}`,
    async () => (state = await record().store.imports.get(id)) !== null && is(state),
  );
  return state!;
}
const ended = (id: string) => stateOf('has ended', id, ({ state }) => state === 'done' || state === 'failed');

describe('ImportWorker', () => {
  it('imports what was posted, named as the client named it, and keeps what the import reports', async () => {
    const read: { source: ImportSource<ImportFile>; texts: string[]; options: object }[] = [];
    const worker = workerOf(async (source, options) => {
      const texts = await Promise.all(source.files.map((file) => file.read(inProcessRunner, TEXT, null, {})));
      read.push({ source, texts, options });
      return async ({ news }) => {
        news.progress('importing', 2).to(1);
        news.note('soon');
        news.result('new  a', { policyId: 'a' });
        news.failure('b: too long', { policyId: 'b' });
        return false;
      };
    });
    const folder = await post({ 'a.md': 'A', 'x/b.md': 'B' }, 'docs/', '/home/ann/docs');
    const file = await post({ 'a.md': 'A' }, 'docs/a.md');
    const nothing = await post({}, null);
    worker.start();
    expect(await ended(folder)).toMatchObject({
      state: 'done',
      complete: false,
      lines: [
        { kind: 'note', line: 'soon', json: null },
        { kind: 'result', line: 'new  a', json: { policyId: 'a' } },
        { kind: 'failure', line: 'b: too long', json: { policyId: 'b' } },
      ],
    });
    await Promise.all([ended(file), ended(nothing)]);
    const places = read.map(({ source: { name, origin, files } }) => [
      name,
      origin,
      files.map(({ path }) => path),
    ]);
    expect(places).toEqual([
      ['docs/', '/home/ann/docs', ['docs/a.md', 'docs/x/b.md']],
      ['docs/a.md', 'docs/a.md', ['docs/a.md']],
      [null, null, []],
    ]);
    expect(read[0]).toMatchObject({ texts: ['A', 'B'], options: { title: 'T' } });
  });

  it('keeps why an import failed: every wrong field, or the reason', async () => {
    const errors = [
      new InvalidInput([{ path: 'line 2', message: 'x' }]),
      new CasefileError('timeout', 'late'),
    ];
    const worker = workerOf(async () => {
      throw errors.shift();
    });
    const [first, second] = [await post({}, 'a'), await post({}, 'b')];
    worker.start();
    expect((await ended(first)).problem).toMatchObject({
      reasonCode: 'invalid_input',
      errors: [{ path: 'line 2', message: 'x' }],
    });
    expect((await ended(second)).problem).toEqual({ reasonCode: 'timeout', detail: 'late' });
  });

  it('begins an import again whose worker stopped or died, and lets the old one write nothing more', async () => {
    let free: () => void = () => undefined;
    const hung = new Promise<void>((resolve) => (free = resolve));
    const stuck = (line: string, imports = record().store.imports) =>
      workerOf(
        async () =>
          async ({ news }) => {
            await hung;
            news.result(line, {});
            return true;
          },
        LIMITS,
        imports,
      );
    const id = await post({}, 'a');
    const stopped = stuck('of the stopped one');
    stopped.start();
    await stateOf('runs', id, ({ state }) => state === 'running');
    await stopped.stop();
    expect(await record().store.imports.get(id)).toMatchObject({ state: 'waiting', attempt: 1 });
    // Its lease is never renewed, as if its process had died.
    const dead = stuck('of the dead one', { ...record().store.imports, renew: async () => [] });
    await dead.tick();
    await record().passTime(LIMITS.leaseMs + 1);
    const third = workerOf(async () => async ({ news }) => {
      news.result('of the third one', {});
      return true;
    });
    third.start();
    const done = await ended(id);
    free();
    await dead.stop();
    expect(done).toMatchObject({ complete: true, attempt: 3, lines: [{ line: 'of the third one' }] });
    expect(await record().store.imports.get(id)).toEqual(done);
  });

  it('claims no import twice while its work still runs, also after its lease ran out', async () => {
    let free: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (free = resolve));
    let begun = 0;
    const work: Work = async () => async () => {
      begun += 1;
      await held;
      return true;
    };
    // The lease is not renewed, as if the process had been blocked for longer than it lasts.
    const worker = workerOf(work, LIMITS, { ...record().store.imports, renew: async () => [] });
    const id = await post({}, 'a');
    const next = await post({}, 'b');
    await worker.tick();
    await record().passTime(LIMITS.leaseMs + 1);
    await worker.tick();
    expect(begun).toBe(1);
    expect(await record().store.imports.get(id)).toMatchObject({ state: 'running', attempt: 1 });
    free();
    expect(await ended(id)).toMatchObject({ complete: true, attempt: 1 });
    await worker.tick();
    expect(await ended(next)).toMatchObject({ complete: true, attempt: 1 });
    expect(begun).toBe(2);
  });

  it('tells how far an import is while it runs', async () => {
    let free: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (free = resolve));
    const worker = workerOf(async () => async ({ news }) => {
      const progress = news.progress('embedding', 10);
      progress.to(4);
      await held;
      progress.end();
      return true;
    });
    const id = await post({}, 'a');
    worker.start();
    const { progress } = await stateOf('has progress', id, ({ progress }) => progress !== null);
    expect(progress).toEqual({ what: 'embedding', done: 4, total: 10 });
    free();
    expect(await ended(id)).toMatchObject({ complete: true, progress: null });
  });
});
