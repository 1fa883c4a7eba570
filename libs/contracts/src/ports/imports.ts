import type { JsonObject } from '../json.js';
import type {
  ImportLine,
  ImportProblem,
  ImportProgress,
  ImportState,
  ListedImport,
} from '../ops-api-imports.js';

/** The request for an import, without its files. */
export interface NewImport {
  id: string;
  /** The knowledge base, by the name of its import command. */
  kind: string;
  source: string | null;
  /** Identifies the source across imports. null: `source` identifies it. */
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
  /** Names and sizes in bytes of its files, in the order in which they were posted. */
  files: { name: string; size: number }[];
}

/** Report of a worker about a running import. */
export interface ImportReport {
  progress: ImportProgress | null;
  lines: readonly ImportLine[];
}

/** Result of an import. */
export type ImportEnd = { complete: boolean } | { problem: ImportProblem };

/** An import fails after this many crashes of its workers. */
export const MAX_IMPORT_CRASHES = 3;
/** Maximum total size of all unfinished imports, in bytes. */
export const MOST_IMPORT_BYTES = 1024 * 1024 * 1024;
/** Maximum number of unfinished imports. */
export const MOST_IMPORTS = 200;

/**
 * Imports into knowledge bases, as durable work. Imports of one kind run one after the other, in the order of
 * their arrival. Files are removed when the import has ended. Time is the store's own clock.
 */
export interface Imports {
  /**
   * Opens an import that will receive files, and removes abandoned imports whose files never arrived
   * completely.
   * @throws CasefileError `overloaded` if there are too many unfinished imports.
   */
  open(importId: string, kind: string): Promise<void>;
  /**
   * Stores a piece of a file. A stored piece is never overwritten.
   * @throws CasefileError `conflict` if the import is not receiving.
   */
  addPiece(importId: string, piece: ImportPiece): Promise<void>;
  /** Marks the import as complete, so that a worker may claim it. */
  ready(request: Omit<NewImport, 'kind'>): Promise<void>;
  /** Removes an import that is still receiving. */
  discard(importId: string): Promise<void>;
  /** Returns an import. null: there is no such import. */
  get(importId: string): Promise<ImportState | null>;
  /** Returns the newest imports, newest first, without their lines. */
  list(limit: number): Promise<ListedImport[]>;
  /**
   * Claims the oldest import that no worker runs and that no earlier import of its kind blocks. An import
   * whose workers crashed too often is marked as failed instead. null: there is nothing to claim.
   * @param except Imports whose earlier work still runs in this process, with or without a lease.
   */
  claim(leaseMs: number, except?: readonly string[]): Promise<ClaimedImport | null>;
  /** Renews leases. @returns the lost leases. */
  renew(leases: ImportLease[], leaseMs: number): Promise<ImportLease[]>;
  /** Reads one file of a claimed import, piece by piece. */
  pieces(importId: string, file: number): AsyncIterable<Uint8Array>;
  /** @returns false if the lease was lost. */
  report(lease: ImportLease, report: ImportReport): Promise<boolean>;
  /** Ends the import and removes its files. @returns false if the lease was lost. */
  end(lease: ImportLease, lines: readonly ImportLine[], end: ImportEnd): Promise<boolean>;
  /** Releases the import without counting a crash. */
  release(lease: ImportLease): Promise<void>;
}
