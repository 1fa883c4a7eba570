import type { SeverityScale } from './severity.js';

/**
 * The shape of one sender's alert. Each field names JSON Pointers (RFC 6901) into its body, with blanks between them; the first
 * that leads to a text, figure or list of texts is read.
 */
export interface SenderShape {
  name: string;
  /** Where the sender documents it. */
  documented: string;
  /** Pointers that all exist in this shape, and together in no other. */
  recognisedBy: string;
  fields: Partial<Record<SentField, string>>;
  /** Objects whose texts are labels, and single texts that are, by the label's name. */
  labels?: string;
  labelled?: Readonly<Record<string, string>>;
  scale?: SeverityScale;
  /** A text with the JSON of the alert inside the body. */
  unwraps?: string;
}

/** What is read of an alert. `key`: the sender's own id of the trouble, by which its later messages join. */
export const SENT_FIELDS = ['name', 'summary', 'severity', 'status', 'startsAt', 'links', 'key'] as const;
export type SentField = (typeof SENT_FIELDS)[number];
