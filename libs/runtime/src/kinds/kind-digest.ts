import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Names that do not change how a kind judges: packages, hidden files and tests. */
const LEFT_OUT = /^(?:node_modules|dist|\..*|.*\.(?:spec|test)\.[a-z]+)$/;

/** Returns the SHA-256 (hexadecimal) of the files of a kind: their paths and contents, in order. */
export function kindDigest(folder: string): string {
  const hash = createHash('sha256');
  for (const file of filesOf(folder)) {
    const content = readFileSync(file);
    hash.update(`${relative(folder, file).split(sep).join('/')}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !LEFT_OUT.test(name));
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesOf(path) : entry.isFile() ? [path] : [];
    });
}
