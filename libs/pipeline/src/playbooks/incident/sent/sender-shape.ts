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
  /** A link that has to be opened once before alerts are sent. */
  asksToOpen?: string;
}

/**
 * Senders whose shapes are known, as a webhook names them: the names of their shapes begin with it. `generic`: any other, by the
 * usual names of fields.
 */
export const PRESETS = [
  'alertmanager',
  'grafana',
  'pagerduty',
  'opsgenie',
  'sentry',
  'cloudwatch',
  'azure-monitor',
  'google-cloud',
  'datadog',
  'zabbix',
  'nagios',
  'servicenow',
  'generic',
];

/** What is read of an alert. `key`: the sender's own id of the trouble, by which its later messages join. */
export const SENT_FIELDS = ['name', 'summary', 'severity', 'status', 'startsAt', 'links', 'key'] as const;
export type SentField = (typeof SENT_FIELDS)[number];
