import { z } from 'zod';
import { personal, withheldSchema } from './access/field-class.js';
import { CONDITION_IDS, CONDITION_SEVERITIES } from './ops-api-conditions.js';
import { DISPOSITIONS } from './artifacts/verdict.js';
import { timeSchema } from './times.js';

/** Formats in which a destination receives messages. */
export const DESTINATION_TYPES = ['webhook', 'slack', 'pagerduty', 'template'] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];

/**
 * Causes of a delivery: a verdict, a resolved alert, an alert that recurs too often to be judged, a test by a person
 * or a schedule, a person who acknowledges the page of a case, a condition, a verdict that waits for a reviewer or
 * waits no more, another destination that fails, or a scheduled message with the head of the audit log.
 */
export const DELIVERY_KINDS = [
  'verdict',
  'resolved',
  'flapping',
  'test',
  'acknowledged',
  'condition-opened',
  'condition-closed',
  'review-needed',
  'review-overdue',
  'review-answered',
  'delivery-failing',
  'audit-head',
] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/**
 * `exhausted`: the last attempt failed. `cancelled`: the message is no longer needed, or its destination was removed.
 * `withheld`: it is not sent, because of a silence.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'cancelled', 'withheld'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Kinds of deliveries that ask a person to act: pages. */
export const PAGE_KINDS: readonly DeliveryKind[] = ['verdict', 'review-needed', 'review-overdue'];

/** Why a message is escalated: its destination did not accept it in time, or no person acknowledged it in time. */
export const ESCALATION_REASONS = ['not-accepted', 'not-acknowledged'] as const;
export type EscalationReason = (typeof ESCALATION_REASONS)[number];

const several = <T extends z.ZodType>(schema: T) => z.array(schema).min(1).max(100);

/**
 * Events that a destination can receive. `condition`: a condition opened or closed. `review`: a verdict needs a
 * reviewer, or waits for too long. `delivery`: another destination fails.
 */
export const DESTINATION_EVENTS = ['verdict', 'condition', 'review', 'delivery'] as const;
export type DestinationEvent = (typeof DESTINATION_EVENTS)[number];

/** What a destination receives. All given fields must match; within a list, one entry must. */
export const destinationWhenSchema = z.strictObject({
  events: several(z.enum(DESTINATION_EVENTS)).optional().describe('Default: verdicts only.'),
  condition: several(z.enum(CONDITION_IDS, { error: 'expected an id of a condition' }))
    .optional()
    .describe('Conditions to report, without the name at the end of an id. Default: all.'),
  conditionSeverity: several(z.enum(CONDITION_SEVERITIES))
    .optional()
    .describe('Severities of conditions to report. Default: all.'),
  playbook: several(z.string().min(1).max(100)).optional(),
  disposition: several(z.enum(DISPOSITIONS)).optional(),
  severity: several(z.string().min(1).max(100)).optional().describe('Severity in the outcome.'),
  confidence: z.number().min(0).max(1).optional().describe('Lowest confidence.'),
  labels: z.record(z.string().min(1).max(100), z.string().max(1_000)).optional(),
});
export type DestinationWhen = z.infer<typeof destinationWhenSchema>;

/** Name of a destination. */
export const destinationNameSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/, {
  error: 'expected a name of at most 50 lower case letters, digits and hyphens',
});

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header');

/** Definition of a destination, as in the section `destinations` of the settings. */
export const destinationEntrySchema = z.strictObject({
  type: z.enum(DESTINATION_TYPES, { error: `expected one of ${DESTINATION_TYPES.join(', ')}` }),
  url: z.string().min(1).max(2_000).optional(),
  secret: z
    .string()
    .regex(/^\$\{\w{1,200}\}$/, 'expected ${NAME}, an environment variable of the decision service')
    .optional()
    .describe('Key of Standard Webhooks, bot token of Slack, or routing key of PagerDuty, as `${NAME}`.'),
  when: destinationWhenSchema.default({}),
  allowPrivate: z.boolean().default(false),
  format: z.enum(['standard', 'cloudevents']).optional().describe('Envelope of a webhook.'),
  channel: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Channel of Slack, with a thread per case. Default: `url` is an incoming webhook of Slack.'),
  headers: z
    .record(
      headerName,
      z
        .string()
        .max(2_000)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'expected one line of ASCII or Latin-1 characters'),
    )
    .optional()
    .describe('Further headers of a template or webhook; values may contain `${NAME}`.'),
  body: z.string().min(1).max(20_000).optional().describe('Body of a template, with `{{field}}`.'),
  contentType: z.string().min(1).max(100).optional(),
  acknowledgeLink: z
    .boolean()
    .optional()
    .describe('Whether pages carry a link by which they are acknowledged without a sign-in. Default: false.'),
  escalateTo: destinationNameSchema
    .optional()
    .describe(
      'Destination that gets a message which this one did not accept, or no person acknowledged, in time.',
    ),
  afterSeconds: z
    .int()
    .min(10)
    .max(86_400)
    .optional()
    .describe('Time after which a message that was not accepted is escalated. Default: 60.'),
  acknowledgeWithinSeconds: z
    .int()
    .min(60)
    .max(86_400)
    .optional()
    .describe(
      'Time after which a page that no person acknowledged is escalated. Default: it is not escalated.',
    ),
  testCron: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Times of test messages, as five cron fields such as `0 9 * * 1`. Default: none is sent.'),
  testTimezone: z.string().min(1).max(100).optional().describe('IANA time zone of `testCron`. Default: UTC.'),
});
export type DestinationEntry = z.infer<typeof destinationEntrySchema>;

/** State of a destination. */
export const destinationStateSchema = z.object({
  name: z.string(),
  pausedAt: z.string().nullable(),
  pausedBy: z.string().nullable(),
  pausedWhy: z.string().nullable(),
  failingSince: z.string().nullable().describe('First failed attempt since the last success.'),
  lastFailureAt: z
    .string()
    .nullable()
    .describe('A late failed attempt. Attempts within a second of it are not counted.'),
  lastProblem: z.string().nullable().describe('Why that attempt failed.'),
  lastSuccessAt: z.string().nullable(),
  pending: z.int(),
  exhausted: z.int(),
});
export type DestinationState = z.infer<typeof destinationStateSchema>;

/** A destination with its state. */
export const shownDestinationSchema = destinationStateSchema.extend({
  type: z.enum(DESTINATION_TYPES),
  address: z.string().describe('Origin of its URL, or the placeholder; the path may be a secret.'),
  when: destinationWhenSchema,
  allowPrivate: z.boolean(),
  source: z
    .enum(['configuration', 'page'])
    .describe('Where it is defined: in files of the configuration; `page`: by a person, through this API.'),
  entry: destinationEntrySchema
    .omit({ url: true })
    .nullable()
    .describe('Definition of an added destination, without its URL; null: it is of the configuration.'),
  changedBy: z.string().nullable(),
  changedAt: z.string().nullable(),
});
export type ShownDestination = z.infer<typeof shownDestinationSchema>;

/** `GET /destinations`. */
export const destinationListSchema = z.object({ destinations: z.array(shownDestinationSchema) });
export type DestinationList = z.infer<typeof destinationListSchema>;

/** One request to a destination. */
export const deliveryAttemptSchema = z.object({
  at: z.string(),
  status: z.int().nullable().describe('HTTP status; null: no answer.'),
  latencyMs: z.int(),
  problem: z.string().nullable().describe('Why the attempt failed; null: it succeeded.'),
  response: personal(z.string().nullable()).describe('The first bytes of the answer.'),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

/** A message to a destination with its attempts. */
export const outboundDeliverySchema = z.object({
  id: z.string().describe('The `deliveryId` that the receiver gets with every attempt.'),
  destination: z.string(),
  kind: z.enum(DELIVERY_KINDS),
  state: z.enum(DELIVERY_STATES),
  caseId: z.string().nullable(),
  runId: z.string().nullable(),
  message: personal(z.string().nullable()).describe('The text that was sent; null: none was sent yet.'),
  attempts: z.array(deliveryAttemptSchema).describe('Oldest first; also those before it was sent again.'),
  createdAt: z.string(),
  nextAt: z.string().nullable().describe('Time of the next attempt; null: none is planned.'),
  endedAt: z.string().nullable(),
  endedWhy: z.string().nullable().describe('Why it was cancelled; null: it was not.'),
  silence: z
    .object({ id: z.string(), author: z.string(), reason: z.string(), endsAt: z.string() })
    .nullable()
    .describe('The silence because of which it was withheld; null: none.'),
  acknowledged: z
    .object({ by: z.string(), at: z.string() })
    .nullable()
    .describe('Who acknowledged this page, and when; null: no person did.'),
  escalated: z
    .object({ from: z.string(), why: z.enum(ESCALATION_REASONS) })
    .nullable()
    .describe(
      'The destination that got this message first, and why it is sent here too; null: it is not escalated.',
    ),
});
export type OutboundDelivery = z.infer<typeof outboundDeliverySchema>;

/** `GET /deliveries`. */
export const outboundDeliveryListSchema = z.object({
  withheld: withheldSchema,
  deliveries: z.array(outboundDeliverySchema).describe('Newest first.'),
  nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
});
export type OutboundDeliveryList = z.infer<typeof outboundDeliveryListSchema>;

/** Filters of `GET /deliveries`. */
export const outboundDeliveryQuerySchema = z.strictObject({
  destination: z.string().max(100).optional(),
  caseId: z.string().max(100).optional(),
  state: z.enum(DELIVERY_STATES).optional(),
  cursor: z.string().max(1_000).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
export type OutboundDeliveryQuery = z.infer<typeof outboundDeliveryQuerySchema>;

const act = {
  by: z.string().min(1).max(200).optional().describe('Who acts. Default: `console`.'),
  reason: z.string().min(1).max(500).optional(),
};
/** Body of the acts on a destination or a delivery. */
export const destinationActSchema = z.strictObject(act);

const changeAct = {
  ...act,
  actId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('A repeated request with the same id acts once. Default: a new id.'),
};
/** Body of `POST /destinations`. */
export const addDestinationSchema = z.strictObject({
  ...changeAct,
  name: destinationNameSchema,
  destination: destinationEntrySchema,
});
/** Body of `POST /destinations/{name}`. */
export const changeDestinationSchema = z.strictObject({
  ...changeAct,
  destination: destinationEntrySchema.describe('Without `url` and with the same type it keeps its URL.'),
});
/** Body of `POST /destinations/{name}/remove`. */
export const removeDestinationSchema = z.strictObject(changeAct);

/** Body of `POST /destinations/{name}/resend`. */
export const resendSchema = z.strictObject({
  ...act,
  since: timeSchema.describe('Deliveries created since this time are sent now, with their ids.'),
  state: z
    .enum(['pending', 'delivered', 'exhausted'])
    .optional()
    .describe(
      'Default: those that were not delivered: `pending`, whose next attempt may be hours away, and `exhausted`.',
    ),
});

/** Answer of `POST /cases/{caseId}/acknowledge`. */
export const acknowledgedSchema = z.object({
  destinations: z
    .array(z.string())
    .describe('Pagers that got a page of the case. Repeating the request notifies none again.'),
});
export type Acknowledged = z.infer<typeof acknowledgedSchema>;

/** Answer of `POST /destinations/{name}/resend`. */
export const resentSchema = z.object({ resent: z.int() });
export type Resent = z.infer<typeof resentSchema>;
