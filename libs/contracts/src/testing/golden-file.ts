import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the content of the golden file, or creates the file from the text. To change a golden file, delete
 * it and run the spec. That run writes the file and fails, so that a new file is not mistaken for a reviewed
 * one.
 * @throws if the file was missing.
 */
export function goldenFile(file: URL, text: string): string {
  const path = fileURLToPath(file);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  throw new Error(`${path} was missing and has been written: look at it, then run this again`);
}
