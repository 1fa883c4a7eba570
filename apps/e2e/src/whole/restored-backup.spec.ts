import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { dumpTables, linesWith } from '../testing/dump-stores.js';
import { launchedServices, type Launched } from '../testing/launched-services.js';
import { ended } from '../testing/world.js';

const FINGERPRINT_KEY = 'a key of at least thirty-two characters';

describe('S4-14 a backup from before an erasure, restored', () => {
  const file = join(temporaryFolder('erasures'), 'erasures.jsonl');
  const databases: TestDatabase[] = [];
  let world: Launched | null = null;
  const [cases, words]: [Record<string, string>, string[]] = [{}, ['kanarie8before', 'kanarie8after']];

  const startOn = async (database?: TestDatabase) => {
    await world?.close();
    world = await launchedServices({
      env: () => ({
        LLM_PROVIDER: 'none',
        CASEFILE_FINGERPRINT_KEY: FINGERPRINT_KEY,
        ...(database === undefined ? {} : { DATABASE_URL: database.url }),
      }),
    });
    return world;
  };
  const casefile = async (...args: string[]) => {
    const terminal = memoryTerminal();
    const code = await run([...args, '--console', world!.service('console').url], terminal);
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  };
  const places = async (database: { url: string }) => {
    const tables = await dumpTables(database.url);
    return words.map((word) => linesWith(tables, word).length);
  };

  beforeAll(async () => {
    const first = await startOn();
    for (const word of words)
      cases[word] = await first.alert({
        playbook: 'scam-verdict',
        text: `Your parcel is held. Pay the fee at https://parcel.example/pay ${word}`,
        collect: false,
      });
    for (const id of Object.values(cases)) {
      await ended(first, id);
      // A case with an open review is not erased.
      await fetch(`${first.service('console').url}/api/v1/reviews/${id}/answer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ by: 'bob', outcome: { riskLevel: 'high' } }),
      });
      await until('the case has no open work', async () => {
        const { text } = await casefile('erase', '--case', id, '--dry-run', '--reason', 'request 1');
        return text.startsWith('1 cases, 0 of them with open work');
      });
    }
    await casefile('erase', '--case', cases[words[0]!]!, '--reason', 'request 1');
    const original = { url: first.databaseUrl, drop: () => Promise.resolve() };
    await first.stop();
    // The backup, and the record that goes on.
    databases.push(await testDatabase(undefined, original), await testDatabase(undefined, original));
  });
  afterAll(async () => {
    await world?.close();
    for (const database of databases) await database.drop();
  });

  it('has the content back, until the erasures since then are made again from their file, once', async () => {
    const [backup, record] = databases as [TestDatabase, TestDatabase];
    await startOn(record);
    const later = await casefile('erase', '--case', cases[words[1]!]!, '--reason', 'request 2');
    expect(later).toMatchObject({ code: 0, text: expect.stringMatching(/1 of 1 cases erased/) });
    expect(await places(record)).toEqual([0, 0]);
    expect((await casefile('export', 'erasures', '--out', file)).text).toMatch(/^2 erasures in /);
    expect(readFileSync(file, 'utf8').split('\n').filter(Boolean)).toHaveLength(2);

    await startOn(backup);
    const [before, after] = (await places(backup)) as [number, number];
    expect([before, after > 0]).toEqual([0, true]);
    const dry = await casefile('erase', '--again', file, '--dry-run', '--reason', 'restore');
    expect(dry.text).toBe('1 erasures of cases are missing on the record, 1 are there.');
    expect(await places(backup)).toEqual([before, after]);
    const again = await casefile('erase', '--again', file, '--reason', 'restore of 30 November');
    expect(again).toMatchObject({ code: 0, text: expect.stringMatching(/1 of 1 cases erased/) });
    expect(await places(backup)).toEqual([0, 0]);
    const { text } = await casefile('show', cases[words[1]!]!);
    expect(text).toContain('restore of 30 November: request 2');
    const once = await casefile('erase', '--again', file, '--reason', 'restore of 30 November');
    expect(once.text).toBe('0 erasures of cases are missing on the record, 2 are there.');
    await until('the erasure is on the audit log', async () =>
      (await casefile('audit', 'list', '--act', 'case.erased')).text.includes(cases[words[1]!]!),
    );
    expect((await casefile('audit', 'verify')).text).toContain(' 0 problems');
  }, 120_000);

  it('takes no other file, and names the line', async () => {
    const { code, text } = await casefile('erase', '--again', 'package.json', '--reason', 'restore');
    expect([code, text]).toEqual([1, expect.stringMatching(/package\.json: line 1 is no erasure/)]);
    const both = await casefile('erase', '--again', file, '--subject', 'bob', '--reason', 'restore');
    expect([both.code, both.text]).toEqual([1, expect.stringMatching(/--again.*neither --case/)]);
  });
});
