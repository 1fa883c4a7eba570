import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the content of the golden file. A missing file is created from the text, and the run fails, so that a new
 * file is not mistaken for a reviewed one. With `RECORD_GOLDEN=1`, all golden files of a run are written again, to be
 * reviewed as a diff.
 * @throws if the file was missing.
 */
export function goldenFile(file: URL, text: string): string {
  const path = fileURLToPath(file);
  const isMissing = !existsSync(path);
  if (!isMissing && process.env['RECORD_GOLDEN'] !== '1') return readFileSync(path, 'utf8');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (!isMissing) return text;
  throw new Error(`${path} was missing and has been written: look at it, then run this again`);
}
