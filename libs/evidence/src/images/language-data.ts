import { CasefileError } from '@casefile/contracts';
import { access, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Tesseract's integer models: a fifth of the size of the float models at nearly the same quality. */
const MODELS = '4.0.0_best_int';
const require = createRequire(import.meta.url);

/**
 * Runs `work` with a temporary folder of links to the data of all the languages. tesseract.js reads from one
 * folder only, and each language is a separate package.
 * @param folder Searched for `<language>.traineddata` before the packages.
 * @throws CasefileError `not_configured` if a language's data is not installed.
 */
export async function withLanguageFolder<T>(
  languages: readonly string[],
  folder: string | undefined,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const files = await Promise.all(languages.map((language) => requiredFile(language, folder)));
  const links = await mkdtemp(join(tmpdir(), 'casefile-ocr-'));
  try {
    // tesseract.js recognises gzip by its first bytes, whatever the file name.
    await Promise.all(files.map((file, i) => symlink(file, join(links, `${languages[i]}.traineddata.gz`))));
    return await work(links);
  } finally {
    await rm(links, { recursive: true, force: true });
  }
}

/** Returns the languages whose data is installed. */
export async function installedLanguages(
  languages: readonly string[],
  folder: string | undefined,
): Promise<string[]> {
  const files = await Promise.all(languages.map((language) => dataFile(language, folder)));
  return languages.filter((_, i) => files[i] !== null);
}

async function requiredFile(language: string, folder: string | undefined): Promise<string> {
  const file = await dataFile(language, folder);
  if (file !== null) return file;
  const place = folder === undefined ? '' : `, or put ${language}.traineddata into ${folder}`;
  throw new CasefileError(
    'not_configured',
    `No OCR data for the language ${JSON.stringify(language)}: install @tesseract.js-data/${language}${place}`,
  );
}

async function dataFile(language: string, folder: string | undefined): Promise<string | null> {
  const inFolder = folder === undefined ? null : join(folder, `${language}.traineddata`);
  if (inFolder !== null && (await isThere(inFolder))) return inFolder;
  const inPackage = packagedFile(language);
  return inPackage !== null && (await isThere(inPackage)) ? inPackage : null;
}

function packagedFile(language: string): string | null {
  try {
    const place = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
    return join(place, MODELS, `${language}.traineddata.gz`);
  } catch {
    // Not installed.
    return null;
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
