/** Results of tools that are too long to travel with their calls, whole, by the id of the call. S2-47. */
export interface StoredResults {
  /** Keeps one; the same call again: over it. */
  keep(result: { toolCallId: string; runId: string; text: string; sha256: string }): Promise<void>;
  /** null: this run has no such result. */
  read(runId: string, toolCallId: string): Promise<string | null>;
}

/** Characters of a page of a stored result. */
export const STORED_PAGE = 8_000;
