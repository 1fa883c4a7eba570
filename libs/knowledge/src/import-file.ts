import { createHash } from 'node:crypto';
import {
  CasefileError,
  IMPORT_LIMITS,
  isWorkerError,
  type BoundedRunner,
  type BoundedTask,
  type CallContext,
  type Pages,
  type TaskInput,
} from '@casefile/contracts';
import type { ImportSource, SourceFile } from './import-source.js';

/** Limits of a task that reads the files of an import. A container of 768 MB has room for it. */
const LIMITS = { memoryMb: 450, timeMs: 180_000 };

/** Returns a task that reads files of an import. All such tasks take turns. */
export function importTask<Args, Result, Page = never>(
  task: Pick<BoundedTask<Args, Result, Page>, 'module' | 'load'> & Partial<BoundedTask<Args, Result, Page>>,
): BoundedTask<Args, Result, Page> {
  const words = { what: 'The file', advice: 'Divide it into several files.' };
  return { ...words, limits: LIMITS, ...task, lane: 'imports' };
}

/** Returns whether an error of one file would affect the next file too: it is about the worker or the store. */
export function isAboutAllFiles(error: CasefileError): boolean {
  return isWorkerError(error) || ['store_error', 'unexpected'].includes(error.reasonCode);
}

/** The source of an import as importers see it. */
export type BoundedSource = ImportSource<ImportFile>;

/**
 * A file of an import as importers see it. Nothing returns its bytes: a parser needs many times the bytes of a
 * file, so the content is read only by a task in the bounded process.
 */
export class ImportFile {
  readonly name: string;
  readonly path: string;
  readonly #file: SourceFile;

  constructor(file: SourceFile) {
    this.name = file.name;
    this.path = file.path;
    this.#file = file;
  }

  /** Bytes. @throws CasefileError `unreadable_file`. */
  size(): Promise<number> {
    return this.#file.content.size();
  }

  /** SHA-256 of `first` and the content, in hex. @throws CasefileError `unreadable_file`. */
  async digest(first: string): Promise<string> {
    const hash = createHash('sha256').update(first);
    for await (const piece of this.#file.content.pieces()) hash.update(piece);
    return hash.digest('hex');
  }

  /**
   * Returns the result of the task.
   * @throws CasefileError `too_large`, `unreadable_file`, and the errors of the runner and the task.
   */
  async read<Args, Result>(
    runner: BoundedRunner,
    task: BoundedTask<Args, Result>,
    args: Args,
    context: Partial<CallContext>,
  ): Promise<Result> {
    return runner.run(task, ImportFile.#input([this], [await this.size()]), args, context);
  }

  /**
   * Reads files together in one process: their bytes follow one another.
   * @param use receives the result and its pages, which exist until it has ended.
   * @throws as `read`.
   */
  static async readPaged<Args, Result, Page, T>(
    files: readonly ImportFile[],
    { runner, task, args, context }: Reading<Args, Result, Page>,
    use: (result: Result, pages: Pages<Page>) => Promise<T>,
  ): Promise<T> {
    const sizes: number[] = [];
    for (const file of files) sizes.push(await file.size());
    return runner.runPaged(task, ImportFile.#input(files, sizes), args(sizes), context, use);
  }

  static #input(files: readonly ImportFile[], sizes: readonly number[]): TaskInput {
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (size > IMPORT_LIMITS.fileBytes) throw tooManyBytes(files, size);
    return {
      size,
      async *pieces() {
        for (const [i, file] of files.entries()) yield* exactly(sizes[i] ?? 0, file.#file);
      },
    };
  }
}

export interface Reading<Args, Result, Page> {
  runner: BoundedRunner;
  task: BoundedTask<Args, Result, Page>;
  /** Arguments of the task, which may need the sizes of the files to divide the bytes. */
  args(sizes: readonly number[]): Args;
  context: Partial<CallContext>;
}

function tooManyBytes(files: readonly ImportFile[], size: number): CasefileError {
  const [file] = files;
  const what = files.length === 1 && file ? `${file.path} has` : `The ${files.length} files have`;
  const most = `at most ${IMPORT_LIMITS.fileBytes} can be imported`;
  return new CasefileError('too_large', `${what} ${size} bytes, and ${most}. Import it in parts.`);
}

// The task divides the bytes by their sizes.
async function* exactly(size: number, { path, content }: SourceFile): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const piece of content.pieces()) {
    total += piece.length;
    if (total > size) break;
    yield piece;
  }
  if (total !== size)
    throw new CasefileError('unreadable_file', `${path} cannot be read: it changed meanwhile`);
}

/** The source's only file. @throws CasefileError `unreadable_file` with `expected` if there is no such file. */
export function onlyFile({ files }: BoundedSource, expected: string): ImportFile {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new CasefileError('unreadable_file', expected);
  return file;
}
