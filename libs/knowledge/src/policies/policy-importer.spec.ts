import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { ImportFile } from '../import-file.js';
import { sourceOnDisk } from '../import-source.js';
import { policyFiles, namePolicyId } from './policy-importer.js';

const FOLDER = ['.md', '.pdf'];
let folder: string;
beforeEach(() => (folder = temporaryFolder('find')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const put = (...names: string[]): void => {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), 'x');
  }
};
const ids = async (path = folder): Promise<string[]> =>
  policyFiles({
    files: (await sourceOnDisk(path, { folder: FOLDER })).files.map((file) => new ImportFile(file)),
  }).map(({ policyId }) => policyId);

describe('S4-14 the documents at a path', () => {
  it('are those of a folder and of the folders in it, in the order of their names', async () => {
    put('b.md', 'a.PDF', 'travel/a.md', 'notes.txt', '.hidden.md', '.git/c.md');
    expect(await ids()).toEqual(['a', 'b', 'travel-a']);
  });

  it('are found in a folder that leads back to itself', async () => {
    put('a.md');
    symlinkSync(folder, join(folder, 'again'));
    expect(await ids()).toEqual(['a']);
  });

  it('are one file, whatever its name ends in', async () => {
    put('House Rules 2026.docx');
    expect(await ids(join(folder, 'House Rules 2026.docx'))).toEqual(['house-rules-2026']);
  });

  it('two that would be one policy are named', async () => {
    put('a.md', 'a.pdf');
    await expect(ids()).rejects.toMatchObject({
      reasonCode: 'invalid_input',
      problems: [{ path: join(folder, 'a.pdf') }],
    });
  });

  it('that are not there are an error', async () => {
    await expect(ids()).rejects.toMatchObject({ reasonCode: 'unreadable_file' });
    await expect(ids(join(folder, 'no'))).rejects.toMatchObject({ reasonCode: 'unreadable_file' });
  });

  it.each([
    ['claims-handling.md', 'claims-handling'],
    ['travel/Überblick (neu).pdf', 'travel-uberblick-neu'],
    ['保険.md', 'policy'],
    [`${'x'.repeat(300)}.md`, 'x'.repeat(100)],
  ])('%s is the policy %s', (name, id) => {
    expect(namePolicyId(name)).toBe(id);
  });
});
