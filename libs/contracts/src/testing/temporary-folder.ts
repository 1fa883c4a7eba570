import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Shared by all copies of this module and by the environment that runs specs
 * (`tools/jest/native-environment.mjs`).
 */
const FOLDERS = Symbol.for('casefile.temporaryFolders');
const shared = globalThis as { [FOLDERS]?: Set<string> };

/**
 * Creates a folder and returns its path. The folder is removed when its spec file has ended, even if a test
 * failed. Outside Jest it is removed when the process exits.
 * @param name Part of the folder's name, to recognise it by.
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `casefile-${name}-`));
  shared[FOLDERS] ??= removedAtExit();
  shared[FOLDERS].add(folder);
  return folder;
}

/** Removes the folders that this process has created so far. */
export function removeTemporaryFolders(): void {
  for (const folder of shared[FOLDERS] ?? []) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  shared[FOLDERS]?.clear();
}

function removedAtExit(): Set<string> {
  process.once('exit', removeTemporaryFolders);
  return new Set();
}
