import type { Json, JsonObject } from '@casefile/contracts';

/** One look-up of a shipped source, written after the documentation of its maker. The content is invented. */
export interface RecordedLookUp {
  /** Page that documents the request and its answer. */
  documentation: string;
  args: JsonObject;
  /** Request as the service gets it. */
  line: string;
  answer: Json | string;
  /** Text of the finding, or the pages that a search found. */
  finds: string | JsonObject[];
}
