import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidInput } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { readDataset } from './read-dataset.js';

const line = (over: object = {}) =>
  JSON.stringify({ id: 'a', text: 'hi', language: 'en', isScam: false, category: null, note: 'x', ...over });
let folder: string;
beforeAll(async () => void (folder = temporaryFolder('eval')));
async function file(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}
const problemsOf = (path: string) =>
  readDataset(path, null, null).then(
    () => [],
    (error: unknown) =>
      error instanceof InvalidInput ? error.problems.map((problem) => problem.path) : [error],
  );

describe('readDataset', () => {
  it('reads JSONL, with the line for an id where there is none', async () => {
    const path = await file(
      'a.jsonl',
      `\ufeff${line()}\r\n\n${line({ id: undefined, isScam: true, category: 'kyc' })}\n`,
    );
    expect(await readDataset(path, null, null)).toEqual([
      { id: 'a', text: 'hi', language: 'en', isScam: false, category: null },
      { id: 'line 3', text: 'hi', language: 'en', isScam: true, category: 'kyc' },
    ]);
  });

  it('names every wrong line and field, and ids that come twice', async () => {
    const lines = [line(), '{', line({ id: 'b', isScam: 'no', text: '' }), line(), '5'];
    expect(await problemsOf(await file('b.jsonl', lines.join('\n')))).toEqual([
      'line 2',
      'line 3: text',
      'line 3: isScam',
      'line 4: id',
      'line 5',
    ]);
    expect(await problemsOf(await file('c.jsonl', '\n'))).toEqual(['']);
  });

  it('reads plain SMS lines', async () => {
    const path = await file('sms.txt', 'ham\tSee you at 5\nspam\tWin now\tcall\n');
    expect(await readDataset(path, null, null)).toMatchObject([
      { isScam: false, text: 'See you at 5', language: 'en', category: null },
      { isScam: true, text: 'Win now\tcall' },
    ]);
    expect(await problemsOf(await file('bad.txt', 'eggs\tx\nham\t\n'))).toEqual(['line 1', 'line 2']);
  });

  it('reads the folder of the SpamAssassin package, spread over all of it', async () => {
    for (const name of ['spam-1', 'spam-2', 'easy-ham-1', 'easy-ham-2', 'hard-ham-1']) {
      await mkdir(join(folder, 'data', name), { recursive: true });
      for (const n of [1, 2])
        await writeFile(
          join(folder, 'data', name, `${n}.json`),
          JSON.stringify({ id: n, text: `mail ${n}\u0000` }),
        );
    }
    const mails = await readDataset(folder, null, 5);
    expect(mails.map(({ id, isScam }) => [id, isScam])).toEqual([
      ['spam-1/1.json', true],
      ['spam-2/1.json', true],
      ['easy-ham-1/1.json', false],
      ['easy-ham-2/1.json', false],
      ['hard-ham-1/1.json', false],
    ]);
    expect(mails[0]!.text).toBe('mail 1 ');
    await expect(readDataset(tmpdir(), 'spam-assassin', null)).rejects.toMatchObject({
      reasonCode: 'unreadable_file',
    });
  });

  it('refuses another encoding than UTF-8', async () => {
    const path = await file('latin.jsonl', Buffer.from([0x7b, 0xe9, 0x7d]));
    await expect(readDataset(path, null, null)).rejects.toMatchObject({ reasonCode: 'unreadable_file' });
  });

  it('reads our own set: 200 at least, half of them harmless, 200 of each at hand', async () => {
    const path = new URL('../../../../samples/eval/messages.jsonl', import.meta.url).pathname;
    const messages = await readDataset(path, null, null);
    const scams = messages.filter(({ isScam }) => isScam).length;
    expect(messages.length).toBeGreaterThanOrEqual(200);
    expect(Math.abs(scams / messages.length - 0.5)).toBeLessThan(0.05);
  });
});
