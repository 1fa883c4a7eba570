import { mkdtemp, rm, symlink, access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CasefileError } from '@casefile/contracts';

/** Tesseract's integer models: a fifth of the size of the float ones at next to the same quality. */
const MODELS = '4.0.0_best_int';
const require = createRequire(import.meta.url);

/**
 * Runs `work` with one folder that holds the data of all the languages: tesseract.js reads from one folder only, and
 * each language is a package of its own. The folder holds links, and is gone afterwards.
 * @throws CasefileError `not_configured` when a language's package is not installed.
 */
export async function withLanguageFolder<T>(
  languages: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<T> {
  const files = await Promise.all(languages.map(dataFile));
  const folder = await mkdtemp(join(tmpdir(), 'casefile-ocr-'));
  try {
    await Promise.all(files.map((file, i) => symlink(file, join(folder, `${languages[i]}.traineddata.gz`))));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function dataFile(language: string): Promise<string> {
  const name = `@tesseract.js-data/${language}`;
  try {
    const file = join(dirname(require.resolve(`${name}/package.json`)), MODELS, `${language}.traineddata.gz`);
    await access(file);
    return file;
  } catch (error) {
    const message = `No OCR data for the language ${JSON.stringify(language)}: install ${name}`;
    throw new CasefileError('not_configured', message, { cause: error });
  }
}
