import type { CaseReader } from '@casefile/contracts';
import { ImportFile, type BoundedSource } from './import-file.js';
import type { ImportSource } from './import-source.js';
import type { Knowledge } from './knowledge.js';
import type { SummaryModel } from './policies/summary-model.js';

/** Reports of an import to the person or program that waits for it. */
export interface ImportNews {
  /** Reports the result of one item: a line for people, an object for programs. */
  result(line: string, json: object): void;
  /** Reports an item that could not be imported. */
  failure(line: string, json: object): void;
  /** Reports a note for people. */
  note(line: string): void;
  /** Starts a progress bar of `total` steps. */
  progress(what: string, total: number): { to(done: number): void; end(): void };
}

/** Dependencies of an import, available once the database is open. */
export interface ImportPorts {
  knowledge: Knowledge;
  /** Name of the embedder in use, under which its vectors are stored. */
  embeddingModel: string;
  cases: Pick<CaseReader, 'getCase'>;
  /** Aborted to stop the import; items imported before that stay. */
  signal: AbortSignal;
  /** The model that can write summaries; null: none is configured. */
  summaries: SummaryModel | null;
  news: ImportNews;
}

/** Reads and imports the files of a source. Resolves to whether all of them were imported. */
export type Import = (ports: ImportPorts) => Promise<boolean>;

/** Imports into one knowledge base by a command. */
export interface Importer {
  /** Name in the command `casefile import <name>`. */
  name: string;
  /**
   * Checks the options and the names of the files, before a database is needed.
   * @param options options of the command, as supplied.
   * @returns the import. It throws InvalidInput that names the wrong lines and fields, or a CasefileError.
   * @throws InvalidInput; CasefileError `unreadable_file`.
   */
  prepare(source: BoundedSource, options: Record<string, unknown>): Import;
}

/**
 * Prepares an import. The importer gets files whose content only a task in the bounded process can read.
 * @throws as `Importer.prepare`.
 */
export function prepareImport(
  importer: Importer,
  source: ImportSource,
  options: Record<string, unknown>,
): Import {
  const files = source.files.map((file) => new ImportFile(file));
  return importer.prepare({ ...source, files }, options);
}
