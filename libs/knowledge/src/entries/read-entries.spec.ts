import { IMPORT_LIMITS, InvalidInput } from '@casefile/contracts';
import { readEntries, type EntryFormat } from './read-entries.js';

const NUMBERS: EntryFormat<number> = {
  what: 'file of numbers',
  one: 'number',
  read: ({ n }) =>
    Number.isNaN(Number(n))
      ? { problems: [{ path: 'n', message: 'expected a number' }] }
      : { value: Number(n) },
};

async function pagesOf(text: string): Promise<number[][]> {
  const pages: number[][] = [];
  await readEntries(Buffer.from(text), NUMBERS, (page) => pages.push(page));
  return pages;
}
async function failure(text: string): Promise<InvalidInput> {
  const pages: number[][] = [];
  const error: unknown = await readEntries(Buffer.from(text), NUMBERS, (page) => pages.push(page)).catch(
    (thrown: unknown) => thrown,
  );
  return error as InvalidInput;
}

describe('a file of entries', () => {
  it('is kept in pages of at most 500 entries and about 200 kB', async () => {
    const numbers = Array.from({ length: 2_500 }, (_, n) => n);
    const csv = `n\n${numbers.join('\n')}`;
    for (const text of [csv, JSON.stringify(numbers.map((n) => ({ n })))]) {
      const pages = await pagesOf(text);
      expect(pages.map((page) => page.length)).toEqual([500, 500, 500, 500, 500]);
      expect(pages.flat()).toEqual(numbers);
    }
    const long = `n,text\n${numbers
      .slice(0, 10)
      .map((n) => `${n},${'x'.repeat(100_000)}`)
      .join('\n')}`;
    expect((await pagesOf(long)).map((page) => page.length)).toEqual([2, 2, 2, 2, 2]);
  });

  it('names at most 1,000 wrong fields', async () => {
    const { problems } = await failure(`n\n${'x\n'.repeat(3_000)}`);
    expect(problems).toHaveLength(IMPORT_LIMITS.problems + 1);
    expect([problems[0], problems.at(-1)]).toEqual([
      { path: 'line 2: n', message: 'expected a number' },
      { path: '', message: 'only the first 1000 problems are named' },
    ]);
  });

  it('has at most 500,000 entries; a line break within quotes begins none', async () => {
    const quoted = `"${'\n'.repeat(600_000)}"`;
    expect(await pagesOf(`n,text\n1,${quoted}\r\n\r\n2,b\r\n`)).toEqual([[1], [2]]);
    expect(await failure(`n\n${'1\n'.repeat(500_001)}`)).toMatchObject({
      reasonCode: 'too_large',
      message:
        'The file has 500001 entries, and at most 500000 can be imported. Divide it into several files.',
    });
  });

  it('is UTF-8, with or without its mark', async () => {
    expect(await pagesOf('\ufeffn\n1')).toEqual([[1]]);
    expect(await pagesOf('\ufeff [{"n":1}]')).toEqual([[1]]);
    const latin = Buffer.from('n\n\xe9', 'latin1');
    await expect(readEntries(latin, NUMBERS, () => undefined)).rejects.toMatchObject({
      reasonCode: 'unreadable_file',
    });
  });
});
