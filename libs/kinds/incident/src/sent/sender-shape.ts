import type { SeverityScale } from './severity.js';

/**
 * The format of one sender's alert. Each field lists JSON Pointers (RFC 6901) into the body, separated by
 * blanks. The first pointer to a text, a number or a list of texts is used.
 */
export interface SenderShape {
  name: string;
  /** URL of the sender's documentation. */
  documented: string;
  /** Pointers that all exist in this shape, and together in no other. */
  recognisedBy: string;
  fields: Partial<Record<SentField, string>>;
  /** Objects whose texts are labels, and single texts that are, by the label's name. */
  labels?: string;
  labelled?: Readonly<Record<string, string>>;
  scale?: SeverityScale;
  /** Whether `startsAt` is the time of the message, so that it distinguishes no occurrences. Default: false. */
  messageTime?: boolean;
  /** A text with the JSON of the alert inside the body. */
  unwraps?: string;
  /** Link that the recipient must open before the sender sends alerts. */
  asksToOpen?: string;
}

/**
 * Known senders, by the names that webhooks use. The names of their shapes begin with these. `generic` reads
 * any other sender by common names of fields.
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
  'guardduty',
  'aws-health',
  'wazuh',
  'rollbar',
  'statuspage',
  'kubernetes-event',
  'generic',
];

/**
 * Fields read from an alert. `key` is the sender's own id of the incident; later messages with this id join
 * the case.
 */
export const SENT_FIELDS = ['name', 'summary', 'severity', 'status', 'startsAt', 'links', 'key'] as const;
export type SentField = (typeof SENT_FIELDS)[number];
