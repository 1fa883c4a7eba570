import { readFile } from 'node:fs/promises';
import { buffer as readAll } from 'node:stream/consumers';
import { CasefileError } from '@casefile/contracts';

/**
 * Returns the UTF-8 text of a file, or of standard input for `-`. @throws CasefileError `unreadable_file`.
 */
export async function readInputFile(path: string): Promise<string> {
  const bytes = await readInputBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const what = path === '-' ? 'standard input' : path;
    throw new CasefileError('unreadable_file', `${what} is not UTF-8 text`, { cause: error });
  }
}

/** Returns the content of a file, or of standard input for `-`. @throws CasefileError `unreadable_file`. */
export async function readInputBytes(path: string): Promise<Buffer> {
  if (path === '-') return readAll(process.stdin);
  try {
    return await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new CasefileError('unreadable_file', `${path} cannot be read (${code})`, { cause: error });
  }
}

/** Returns the JSON of a file. @throws CasefileError `unreadable_file` with the parser's message. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readInputFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CasefileError('unreadable_file', `${path} is not JSON: ${why}`, { cause: error });
  }
}
