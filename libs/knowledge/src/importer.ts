import type { CaseReader } from '@casefile/contracts';
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

/** Imports the content of a file that has been read. Resolves to whether all of it was imported. */
export type Import = (ports: ImportPorts) => Promise<boolean>;

/** Imports into one knowledge base by a command. */
export interface Importer {
  /** Name in the command `casefile import <name>`. */
  name: string;
  /**
   * Reads the source, before a database is needed.
   * @param options options of the command, as supplied.
   * @throws InvalidInput that names every wrong line and field; CasefileError `unreadable_file`.
   */
  read(source: ImportSource, options: Record<string, unknown>): Promise<Import>;
}
