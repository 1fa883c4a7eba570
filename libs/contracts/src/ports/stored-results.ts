/** Complete tool results that are too long to travel with their calls, by the id of the call. */
export interface StoredResults {
  /** Stores a result. A second result of the same call overwrites the first. */
  keep(result: { toolCallId: string; runId: string; text: string; sha256: string }): Promise<void>;
  /** Returns a result. null: this run has no such result. */
  read(runId: string, toolCallId: string): Promise<string | null>;
}

/** Page size of a stored result, in characters. */
export const STORED_PAGE = 8_000;
