import { IMPORT_LIMITS, type BoundedTask } from '@casefile/contracts';
import { inProcessRunner } from '@casefile/contracts/testing';
import { ImportFile, importTask } from './import-file.js';
import { wholeContent, type FileContent } from './import-source.js';

const TEXT: BoundedTask<number[], string> = importTask<number[], string>({
  module: new URL('none:'),
  load: async () => ({ run: async (bytes, sizes) => `${bytes.toString()} ${sizes.join('+')}` }),
});
const file = (name: string, content: FileContent) => new ImportFile({ name, path: `books/${name}`, content });
const text = (name: string, words: string) =>
  file(
    name,
    wholeContent(() => Buffer.from(words)),
  );
const read = (...files: ImportFile[]) =>
  ImportFile.readPaged(
    files,
    { runner: inProcessRunner, task: TEXT, args: (sizes) => [...sizes], context: {} },
    async (result) => result,
  );

describe('the content of a file to import', () => {
  it('is read by a task alone, several files one after another', async () => {
    const one = text('a.md', 'AA');
    expect(await read(one, text('b.md', 'B'))).toBe('AAB 2+1');
    expect(await one.read(inProcessRunner, TEXT, [], {})).toBe('AA ');
    expect({ ...one }).toEqual({ name: 'a.md', path: 'books/a.md' });
  });

  it('has at most 64 MB in all, and is refused before it is read', async () => {
    let reads = 0;
    const half: FileContent = {
      size: async () => IMPORT_LIMITS.fileBytes / 2 + 1,
      *pieces() {
        reads += 1;
        yield Buffer.from('');
      },
    };
    await expect(read(file('a', half), file('b', half))).rejects.toMatchObject({
      reasonCode: 'too_large',
      message: 'The 2 files have 67108866 bytes, and at most 67108864 can be imported. Import it in parts.',
    });
    expect(reads).toBe(0);
  });

  it.each([1, 3])('is refused when it changes while it is read: %d bytes, not 2', async (length) => {
    const content: FileContent = {
      size: async () => 2,
      pieces: () => Array.from({ length }, () => Buffer.from('x')),
    };
    await expect(read(file('a.md', content))).rejects.toMatchObject({
      reasonCode: 'unreadable_file',
      message: 'books/a.md cannot be read: it changed meanwhile',
    });
  });
});
