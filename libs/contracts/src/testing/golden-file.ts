import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The golden file of a text. To change one on purpose delete it and run the spec: it is written anew, and that
 * run fails so that nobody takes a new file for a checked one.
 * @throws when the file was missing.
 */
export function goldenFile(file: URL, text: string): string {
  const path = fileURLToPath(file);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  throw new Error(`${path} was missing and has been written: look at it, then run this again`);
}
