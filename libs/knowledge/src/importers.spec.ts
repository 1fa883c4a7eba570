import { CasefileError, type BoundedRunner } from '@casefile/contracts';
import { inProcessRunner } from '@casefile/contracts/testing';
import type { Database } from '@casefile/store';
import { wholeContent } from './import-source.js';
import { prepareImport, type Importer, type ImportPorts } from './importer.js';
import { importers } from './importers.js';
import { openKnowledge } from './knowledge.js';
import { silentPorts } from './testing/fake-ports.js';
import { hostileFiles, type HostileFile } from './testing/hostile-files.js';

/** Imports over a database that is empty and takes nothing, and collects what the import reports. */
function world(runner: BoundedRunner = inProcessRunner) {
  const reported: string[] = [];
  const written: string[] = [];
  const rows = async (text: string) => {
    if (/insert into/.test(text)) written.push(text);
    return [];
  };
  const database = { rows, transaction: (work: (tx: unknown) => unknown) => work(database) };
  const note = (line: string) => void reported.push(line);
  const ports = {
    knowledge: openKnowledge(database as unknown as Database, { ...silentPorts(), runner }),
    signal: new AbortController().signal,
    summaries: null,
    news: {
      result: note,
      failure: note,
      note,
      progress: () => ({ to: () => undefined, end: () => undefined }),
    },
  } as unknown as ImportPorts;
  const run = async (importer: Importer, { content }: HostileFile): Promise<string> => {
    const file = { name: 'sent.md', path: 'sent.md', content };
    const work = prepareImport(importer, { name: 'sent.md', origin: null, files: [file] }, {});
    const failure = await work(ports).then(
      () => '',
      (error: Error) => error.message,
    );
    return [failure, ...reported].join(' ');
  };
  return { run, written };
}

const all = importers.flatMap((importer) =>
  hostileFiles.map((file) => [importer.name, file.name, importer, file] as const),
);

describe('S4-14 every importer', () => {
  it.each(all)(
    '%s refuses %s with its limit and the size of the file',
    async (_name, _file, importer, file) => {
      const { run, written } = world();
      const message = await run(importer, file);
      const numbers = [...message.matchAll(/\d[\d,]*/g)].map(([digits]) =>
        Number(digits.replaceAll(',', '')),
      );
      const most = Number(/at most ([\d,]*\d)/.exec(message)?.[1]?.replaceAll(',', ''));
      expect([message, numbers.some((one) => one > most)]).toEqual([expect.stringMatching(/\w/), true]);
      expect(written).toEqual([]);
    },
  );

  it.each(importers.map((importer) => [importer.name, importer] as const))(
    '%s parses in the runner and nowhere else, one file of all importers at a time',
    async (_name, importer) => {
      const lanes: (string | undefined)[] = [];
      const refuse = (task: { lane?: string }) => {
        lanes.push(task.lane);
        return Promise.reject(new CasefileError('too_large', 'the runner refuses it'));
      };
      const { run, written } = world({ run: refuse, runPaged: refuse } as BoundedRunner);
      // No importer finds anything wrong with this file before the runner has it.
      const content = wholeContent(() => Buffer.from('[{"id":"a"}]'));
      expect(await run(importer, { name: '', content })).toContain('the runner refuses it');
      expect([lanes, written]).toEqual([['imports'], []]);
    },
  );
});
