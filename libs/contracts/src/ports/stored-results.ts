/** Results of tools that are too long to travel with their calls, whole, by the id of the call. S2-47. */
export interface StoredResults {
  /** Keeps one; the same call again: over it. */
  keep(result: { toolCallId: string; runId: string; text: string; sha256: string }): Promise<void>;
  /** null: this run has no such result. */
  read(runId: string, toolCallId: string): Promise<string | null>;
}

/** A result of which the record has the whole elsewhere: what stands in its place on the call. */
export interface ShortenedResult {
  stored: {
    /** Of the tool call; `stored_result` reads the rest by it. */
    id: string;
    characters: number;
    pages: number;
    sha256: string;
  };
  /** Its first and its last characters. */
  beginning: string;
  end: string;
  /** What a model says is in it; no words of the result itself. Absent: there was none to ask, or it gave no answer. */
  summary?: string;
}

/** Characters of a page of a stored result. */
export const STORED_PAGE = 8_000;
