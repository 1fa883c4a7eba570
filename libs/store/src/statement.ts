/** Runs statements. Each distinct text becomes a prepared statement, so texts must not contain values. */
export interface Queryable {
  rows<R extends object>(text: string, params?: unknown[]): Promise<R[]>;
}

/** Runs statements in a transaction. */
export interface Transaction extends Queryable {
  /** Sends a statement together with the commit. Its result must not be needed before. */
  lastly(statement: Statement): void;
}

/** A statement with its parameters. */
export interface Statement {
  text: string;
  params: unknown[];
}
