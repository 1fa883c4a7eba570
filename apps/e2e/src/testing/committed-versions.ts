import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ApiDocument } from './api-changes.js';

/** Folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns the last versions of a file that were committed; none without the history. */
export function committedVersions(file: string, most: number): ApiDocument[] {
  if (!existsSync(`${ROOT}.git`)) return [];
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const commits = git('log', `-${most}`, '--diff-filter=AM', '--format=%H', '--', file);
  return commits
    .split('\n')
    .filter((commit) => commit !== '')
    .map((commit) => JSON.parse(git('show', `${commit}:${file}`)) as ApiDocument);
}
