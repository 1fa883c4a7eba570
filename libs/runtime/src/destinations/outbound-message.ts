import type { DeliveryEvent, DeliveryKind, NoticedCondition, VerdictMessage } from '@casefile/contracts';

/** Types of events in messages, by the kind of the delivery. */
export const EVENT_TYPES: Readonly<Record<DeliveryKind, string>> = {
  verdict: 'verdict.decided',
  resolved: 'case.resolved',
  flapping: 'case.flapping',
  acknowledged: 'case.acknowledged',
  test: 'destination.test',
  'condition-opened': 'condition.opened',
  'condition-closed': 'condition.closed',
  'review-needed': 'review.needed',
  'review-overdue': 'review.overdue',
  'review-answered': 'review.answered',
  'delivery-failing': 'delivery.failing',
  'audit-head': 'audit.head',
};

/** A message in the words of people, from which every format is made. */
export interface OutboundMessage {
  deliveryId: string;
  kind: DeliveryKind;
  createdAt: string;
  /** null: a test or a condition. */
  caseId: string | null;
  /** The verdict as it leaves Casefile; null: a test or a condition. */
  verdict: VerdictMessage | null;
  /** The condition that opened or closed; null: the message is about something else. */
  condition: NoticedCondition | null;
  /** Times of the review that the verdict waits for; null: the message is about something else. */
  review: DeliveryEvent['review'] | null;
  /** Head of the audit log, `COUNT:HASH`; null: the message is about something else. */
  auditHead: string | null;
  /** One line. */
  title: string;
  /** At most 1,200 characters. */
  text: string;
  /** Link by which a person acknowledges the page without a sign-in; null: it has none. */
  acknowledgeLink: string | null;
  /** The case or the page of the condition in the console. */
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
  const { deliveryId, kind, createdAt, caseId, verdict, condition, ...words } = message;
  const { title, text, link, word, severity, acknowledgeLink } = words;
  return {
    deliveryId,
    kind,
    event: EVENT_TYPES[kind],
    createdAt,
    caseId: caseId ?? '',
    conditionId: condition?.id ?? '',
    runId: verdict?.runId ?? '',
    playbook: verdict?.playbook ?? '',
    disposition: verdict?.verdict.disposition ?? '',
    confidence: String(verdict?.verdict.confidence ?? ''),
    title,
    text,
    link,
    acknowledgeLink: acknowledgeLink ?? '',
    word,
    severity,
  };
}

/** Fields that a body template may name as `{{field}}`. */
export const TEMPLATE_FIELDS = [
  'deliveryId',
  'kind',
  'event',
  'createdAt',
  'caseId',
  'conditionId',
  'runId',
  'playbook',
  'disposition',
  'confidence',
  'title',
  'text',
  'link',
  'acknowledgeLink',
  'word',
  'severity',
] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];
