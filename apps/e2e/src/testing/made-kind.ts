import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@casefile/contracts/testing';
import { runCasefile } from './run-casefile.js';

const ROOT = new URL('../../../../', import.meta.url);

/** Makes a kind of case with these parts by `casefile new kind`, and expects that its own test passes. */
export async function passesItsTest(parts: string): Promise<void> {
  const folder = join(temporaryFolder('outside-with'), 'other-check');
  const made = await runCasefile('new', 'kind', 'other-check', '--folder', folder, '--with', parts);
  expect(made).toMatchObject({ code: 0, errors: [] });
  // Without `--test`, which starts a further process for the file.
  const args = ['--import', '@casefile/kit/register', join(folder, 'kind.test.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(stdout).toMatch(/(?:# |ℹ )fail 0\n/);
}
