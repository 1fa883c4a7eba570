import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { fastTextIdentifier } from './detect-language.js';

const packaged = join(
  createRequire(import.meta.url).resolve('fasttext.wasm.js'),
  '../../models/language-identification/assets/lid.176.ftz',
);
const WORDS = 'please verify your account before tomorrow evening';

describe('fastTextIdentifier', () => {
  let folder: string;
  beforeAll(() => void (folder = temporaryFolder('identifier')));
  const modelIn = (name: string) => pathToFileURL(join(folder, name));

  it('S3-01 tells a language and how probable it is', async () => {
    const found = await fastTextIdentifier()(WORDS);
    expect(found.language).toBe('en');
    expect(found.probability).toBeGreaterThan(0.5);
  });

  it('S3-41 says no_identifier when the model is not there, and finds it once it is', async () => {
    const identify = fastTextIdentifier(modelIn('late.ftz'));
    await expect(identify(WORDS)).rejects.toMatchObject({ reasonCode: 'no_identifier' });
    await copyFile(packaged, join(folder, 'late.ftz'));
    await expect(identify(WORDS)).resolves.toMatchObject({ language: 'en' });
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['no model at all', Buffer.alloc(5_000, 7)],
  ])('S3-41 says no_identifier when the file of the model is %s', async (name, bytes) => {
    await writeFile(join(folder, name), bytes);
    await expect(fastTextIdentifier(modelIn(name))(WORDS)).rejects.toMatchObject({
      reasonCode: 'no_identifier',
    });
  });
});
