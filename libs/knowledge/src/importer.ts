import type { CaseReader } from '@casefile/contracts';
import type { ImportSource } from './import-source.js';
import type { Knowledge } from './knowledge.js';
import type { SummaryModel } from './policies/summary-model.js';

/** What an import tells the person, or the program, that waits for it. */
export interface ImportNews {
  /** What became of one thing: a line for people, an object for programs. */
  result(line: string, json: object): void;
  /** The same of a thing that could not be taken. */
  failure(line: string, json: object): void;
  /** What people should know meanwhile. */
  note(line: string): void;
  /** How far something is, of so much. */
  progress(what: string, total: number): { to(done: number): void; end(): void };
}

/** What an import is done with, once the database is open. */
export interface ImportPorts {
  knowledge: Knowledge;
  /** Of this name the embedder in use makes its vectors. */
  embeddingModel: string;
  cases: Pick<CaseReader, 'getCase'>;
  /** Aborted when the import is to stop: what is imported by then stays. */
  signal: AbortSignal;
  /** The model that can write summaries; null: none is configured. */
  summaries: SummaryModel | null;
  news: ImportNews;
}

/** What is in a file, ready to be put in. Resolves to whether all of it was taken. */
export type Import = (ports: ImportPorts) => Promise<boolean>;

/** How one knowledge base is imported into by a command. */
export interface Importer {
  /** As in `casefile import <name>`. */
  name: string;
  /**
   * Reads what is to be imported, before a database is needed.
   * @param options of the command, as they were given.
   * @throws InvalidInput that names every wrong line and field; CasefileError `unreadable_file`.
   */
  read(source: ImportSource, options: Record<string, unknown>): Promise<Import>;
}
