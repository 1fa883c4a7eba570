import type { DeliveryKind, VerdictMessage } from '@casefile/contracts';

/** A message in the words of people, from which every format is made. */
export interface OutboundMessage {
  deliveryId: string;
  kind: DeliveryKind;
  createdAt: string;
  /** null: a test. */
  caseId: string | null;
  /** The verdict as it leaves Casefile; null: a test. */
  verdict: VerdictMessage | null;
  /** One line. */
  title: string;
  /** At most 1,200 characters. */
  text: string;
  /** The case in the console. */
  link: string;
  /** The verdict's word, such as `page`. */
  word: string;
  severity: string;
}

/** A request to a receiver. */
export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Returns fields of a message by the names that body templates use. */
export function templateFields(message: OutboundMessage): Record<TemplateField, string> {
  const { deliveryId, kind, createdAt, caseId, verdict, title, text, link, word, severity } = message;
  return {
    deliveryId,
    kind,
    createdAt,
    caseId: caseId ?? '',
    runId: verdict?.runId ?? '',
    playbook: verdict?.playbook ?? '',
    disposition: verdict?.verdict.disposition ?? '',
    confidence: String(verdict?.verdict.confidence ?? ''),
    title,
    text,
    link,
    word,
    severity,
  };
}

/** Fields that a body template may name as `{{field}}`. */
export const TEMPLATE_FIELDS = [
  'deliveryId',
  'kind',
  'createdAt',
  'caseId',
  'runId',
  'playbook',
  'disposition',
  'confidence',
  'title',
  'text',
  'link',
  'word',
  'severity',
] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];
