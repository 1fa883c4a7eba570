import type { JsonObject } from '../json.js';
import type { ImportLine, ImportProblem, ImportProgress, ImportState } from '../ops-api-imports.js';

/** What was posted, apart from the files. */
export interface NewImport {
  id: string;
  /** The knowledge base, by the name of its import command. */
  kind: string;
  source: string | null;
  /** Identifies the source between imports; null: `source` does. */
  origin: string | null;
  options: JsonObject;
}

/** A piece of a posted file. Files and pieces count from 0. */
export interface ImportPiece {
  file: number;
  name: string;
  piece: number;
  bytes: Uint8Array;
}

export interface ImportLease {
  importId: string;
  epoch: number;
}

/** An import that this worker may run. */
export interface ClaimedImport {
  lease: ImportLease;
  request: NewImport;
  /** Names of its files, in the order in which they were posted. */
  files: string[];
}

/** What a worker reports of an import that it runs. */
export interface ImportReport {
  progress: ImportProgress | null;
  lines: readonly ImportLine[];
}

/** How an import ended. */
export type ImportEnd = { complete: boolean } | { problem: ImportProblem };

/** A worker that dies so often while it runs an import ends the import. */
export const MAX_IMPORT_CRASHES = 3;
/** Bytes of unfinished imports at most, over all of them. */
export const MOST_IMPORT_BYTES = 1024 * 1024 * 1024;
/** Unfinished imports at most. */
export const MOST_IMPORTS = 200;

/**
 * Imports into knowledge bases, as durable work. Imports of one kind run one after the other in the order of their arrival.
 * Files are removed when the import has ended. Time is the store's own.
 */
export interface Imports {
  /**
   * Opens an import whose files are still to come, and removes those whose client never finished.
   * @throws CasefileError `overloaded` if too much is unfinished.
   */
  open(importId: string, kind: string): Promise<void>;
  /** A piece that is there already stays as it is. @throws CasefileError `conflict` if the import is not receiving. */
  addPiece(importId: string, piece: ImportPiece): Promise<void>;
  /** All files are there: a worker may take the import. */
  ready(request: Omit<NewImport, 'kind'>): Promise<void>;
  /** Removes an import that is still receiving. */
  discard(importId: string): Promise<void>;
  /** null: there is none of this id. */
  get(importId: string): Promise<ImportState | null>;
  /**
   * Claims the oldest import that no worker runs and before which no other of its kind waits. An import whose workers died
   * too often is ended as failed instead. null: there is none.
   */
  claim(leaseMs: number): Promise<ClaimedImport | null>;
  /** Renews leases. @returns those that were lost. */
  renew(leases: ImportLease[], leaseMs: number): Promise<ImportLease[]>;
  /** The content of one file of a claimed import. */
  file(importId: string, file: number): Promise<Uint8Array>;
  /** @returns false if the lease was lost. */
  report(lease: ImportLease, report: ImportReport): Promise<boolean>;
  /** Ends the import and removes its files. @returns false if the lease was lost. */
  end(lease: ImportLease, lines: readonly ImportLine[], end: ImportEnd): Promise<boolean>;
  /** Gives the import back, without counting a crash. */
  release(lease: ImportLease): Promise<void>;
}
