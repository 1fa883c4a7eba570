import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Names that do not change how a kind judges: packages, hidden files and tests. */
const LEFT_OUT = /^(?:node_modules|\..*|.*\.(?:spec|test)\.[a-z]+)$/;

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
  const names = readdirSync(folder).filter((name) => !LEFT_OUT.test(name));
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    // A mounted folder may hold links to its files.
    const stats = statSync(path);
    return stats.isDirectory() ? filesOf(path) : stats.isFile() ? [path] : [];
  });
}
