import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { CasefileError, InvalidInput, type FieldProblem } from '@casefile/contracts';

/** A file that is to be a policy. */
export interface PolicyFile {
  path: string;
  policyId: string;
}

/** More is a wrong folder. */
const MOST_FILES = 10_000;
const LONGEST_ID = 100;

/**
 * The documents at a path: the file itself, or all of a folder and the folders in it, in the order of their names. Links
 * to folders are not followed, hidden files and those of another format are left out.
 * @throws CasefileError `unreadable_file` when there is nothing; InvalidInput when two would be one policy.
 */
export async function findDocuments(path: string, extensions: readonly string[]): Promise<PolicyFile[]> {
  if (!(await isFolder(path))) return [{ path, policyId: policyIdOf(basename(path)) }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name).toLowerCase()))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(/[/\\]/).some((part) => part.startsWith('.')))
    .sort();
  if (names.length === 0)
    throw new CasefileError('unreadable_file', `${path} has no document in it (${extensions.join(', ')})`);
  if (names.length > MOST_FILES)
    throw new CasefileError(
      'too_large',
      `${path} has ${names.length} documents, ${MOST_FILES} at most can be imported at once`,
    );
  const files = names.map((name) => ({ path: join(path, name), policyId: policyIdOf(name) }));
  checkDistinct(files);
  return files;
}

/** The id of a policy by the name of its file: letters, digits and dashes. */
export function policyIdOf(name: string): string {
  const plain = name
    .slice(0, name.length - extname(name).length)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, LONGEST_ID);
  return plain === '' ? 'policy' : plain;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new CasefileError('unreadable_file', `${path} cannot be read (${code})`, { cause: error });
  }
}

function checkDistinct(files: readonly PolicyFile[]): void {
  const first = new Map<string, string>();
  const problems = files.flatMap(({ path, policyId }): FieldProblem[] => {
    const other = first.get(policyId);
    if (other === undefined) first.set(policyId, path);
    if (other === undefined) return [];
    return [
      { path, message: `would be the policy ${policyId}, as ${other} would: import one of them with --id` },
    ];
  });
  if (problems.length > 0) throw new InvalidInput(problems, 'folder of policies');
}
