/** Runs statements. One text always means one prepared statement, so texts must not carry values. */
export interface Queryable {
  rows<R extends object>(text: string, params?: unknown[]): Promise<R[]>;
}

/** What a transaction asks. */
export interface Transaction extends Queryable {
  /** Sends a statement with the commit: nobody needs its answer before. */
  lastly(statement: Statement): void;
}

/** A statement and its values, as it is sent. */
export interface Statement {
  text: string;
  params: unknown[];
}
