import {
  destinationEntrySchema,
  destinationNameSchema,
  destinationWhenSchema,
  z,
  type FieldProblem,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { fillTemplate, unknownFields } from '../destinations/fill-template.js';
import { receives } from '../destinations/matches-when.js';
import { TEMPLATE_FIELDS, type TemplateField } from '../destinations/outbound-message.js';
import { cronProblem, isTimeZone } from '../schedules/due-times.js';
import { auditHeadSettingsSchema } from './audit-head-settings.js';
import { heartbeatSettingsSchema } from './heartbeat-settings.js';
import { noSuch } from './no-such.js';
import { filledIn, httpUrl, type Variables } from './placeholders.js';

/** Default URLs of the services that have one. */
export const DEFAULT_URLS: Partial<Record<string, string>> = {
  pagerduty: 'https://events.pagerduty.com/v2/enqueue',
  slack: 'https://slack.com/api/chat.postMessage',
};

const one = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), schema);
const { events, condition, conditionSeverity, playbook, disposition, severity, confidence, labels } =
  destinationWhenSchema.shape;
const whenSchema = z.strictObject({
  events: one(events),
  condition: one(condition),
  conditionSeverity: one(conditionSeverity),
  playbook: one(playbook),
  disposition: one(disposition),
  severity: one(severity),
  confidence,
  labels,
});

/** An entry of the settings. In `when`, one value may stand for a list of one. */
const destinationSchema = destinationEntrySchema
  .extend({ when: whenSchema.default({}) })
  .superRefine((destination, context) => {
    for (const [path, message] of fieldProblemsOf(destination))
      context.addIssue({ code: 'custom', path: [path], message });
  });
type DestinationInput = z.infer<typeof destinationSchema>;

/** Fields that only some types have. */
const ONLY: Partial<Record<keyof DestinationInput, readonly string[]>> = {
  format: ['webhook'],
  channel: ['slack'],
  headers: ['webhook', 'template'],
  body: ['template'],
  contentType: ['template'],
};

function fieldProblemsOf(destination: {
  type: string;
  url?: string | undefined;
  secret?: string | undefined;
  channel?: string | undefined;
  body?: string | undefined;
  contentType?: string | undefined;
}): [string, string][] {
  const { type, url, secret, channel, body } = destination;
  const needsUrl = type !== 'pagerduty' && !(type === 'slack' && channel !== undefined);
  const needsSecret = type === 'pagerduty' || (type === 'slack' && channel !== undefined);
  const wrong = Object.entries(ONLY).filter(
    ([name, types]) => destination[name as 'channel'] !== undefined && !types.includes(type),
  );
  return [
    ...wrong.map(([name, types]): [string, string] => [
      name,
      `expected only where type is ${types.join(' or ')}`,
    ]),
    ...(needsUrl && url === undefined ? [['url', 'expected a URL, or ${NAME}'] as [string, string]] : []),
    ...(needsSecret && secret === undefined
      ? [['secret', `expected \${NAME} with ${SECRETS[type] ?? 'a key'}`] as [string, string]]
      : []),
    ...(type === 'template' ? bodyProblems(body, destination.contentType ?? 'application/json') : []),
  ];
}

function bodyProblems(body: string | undefined, contentType: string): [string, string][] {
  if (body === undefined) return [['body', 'expected the body to send, with {{text}} or other fields']];
  const unknown = unknownFields(body, TEMPLATE_FIELDS);
  if (unknown.length > 0)
    return [
      ['body', `there is no field ${unknown.join(', ')}; expected some of ${TEMPLATE_FIELDS.join(', ')}`],
    ];
  if (!/json/i.test(contentType)) return [];
  const filled = fillTemplate(body, contentType, EXAMPLE);
  return isJson(filled) ? [] : [['body', 'expected JSON: each {{field}} inside quotes']];
}

const EXAMPLE = Object.fromEntries(TEMPLATE_FIELDS.map((name) => [name, '"'])) as Record<
  TemplateField,
  string
>;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const SECRETS: Record<string, string> = {
  pagerduty: 'the routing key of a service (Events API v2)',
  slack: 'the token of a bot, because channel is set',
};

/** The section `destinations` of the settings: receivers of verdicts, by name. */
export const destinationSettingsSchema = z.record(destinationNameSchema, destinationSchema);

/** The section `delivery` of the settings. */
export const deliverySettingsSchema = z.strictObject({
  untakenVerdicts: z.number().int().min(1).max(10_000_000).default(10_000),
  /** Folder for the rounds of each case whose kind has rounds; null: not written. */
  iterations: z.string().min(1).nullable().default(null),
  /** URL of the console in messages to people; null: the address that the console listens on. */
  consoleUrl: z
    .url({ protocol: /^https?$/, error: 'expected http://... or https://...' })
    .nullable()
    .default(null),
  /** May destinations that are added by API have private or loopback addresses? */
  addedAllowPrivate: z.boolean().default(false),
  /** Requests to an outside monitor while Casefile works; null: none is sent. */
  heartbeat: heartbeatSettingsSchema.nullable().default(null),
  /** Times at which the head of the audit log is sent to a destination; null: never. */
  auditHead: auditHeadSettingsSchema.nullable().default(null),
});

/** A destination of the settings. Its `url`, `secret` and headers may contain `${NAME}`. */
export type ConfiguredDestination = DestinationInput & { name: string; url: string };

/**
 * Returns the destinations of the settings, and their problems.
 * @param names Destinations to which one may escalate; null: they are not known. Default: those of the settings.
 */
export function readDestinations(
  settings: z.infer<typeof destinationSettingsSchema>,
  playbooks: readonly Pick<Playbook, 'name'>[],
  names: readonly string[] | null = Object.keys(settings),
): { destinations: ConfiguredDestination[]; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const playbookNames = playbooks.map(({ name }) => name);
  const destinations = Object.entries(settings).map(([name, entry]) => {
    const at = `destinations.${name}`;
    for (const kind of entry.when.playbook ?? [])
      if (!playbookNames.includes(kind))
        problems.push(noSuch('playbook', `${at}.when.playbook`, playbookNames));
    const { escalateTo } = entry;
    const others = names?.filter((other) => other !== name);
    if (escalateTo === name || (escalateTo !== undefined && others?.includes(escalateTo) === false))
      problems.push({
        path: `${at}.escalateTo`,
        message: `expected another destination: ${others?.join(', ') ?? ''}`,
      });
    for (const field of ['afterSeconds', 'acknowledgeWithinSeconds'] as const)
      if (entry[field] !== undefined && escalateTo === undefined)
        problems.push({ path: `${at}.${field}`, message: 'expected only with escalateTo' });
    problems.push(...testProblems(entry, at));
    for (const field of ['condition', 'conditionSeverity'] as const)
      if (entry.when[field] !== undefined && !receives(entry.when, 'condition'))
        problems.push({ path: `${at}.when.${field}`, message: 'expected only if events names condition' });
    const url = httpUrl(entry.url ?? DEFAULT_URLS[entry.type] ?? '', `${at}.url`, problems);
    return { ...entry, name, url };
  });
  return { destinations, problems };
}

function testProblems(
  { testCron: cron, testTimezone: timezone }: Pick<DestinationInput, 'testCron' | 'testTimezone'>,
  at: string,
): FieldProblem[] {
  const problem = cron === undefined ? null : cronProblem(cron);
  const problems = problem === null ? [] : [{ path: `${at}.testCron`, message: problem }];
  const path = `${at}.testTimezone`;
  if (timezone === undefined) return problems;
  if (cron === undefined) return [{ path, message: 'expected only with testCron' }];
  return isTimeZone(timezone)
    ? problems
    : [...problems, { path, message: 'expected an IANA time zone, for example Europe/Berlin' }];
}

/** Characters that a header may have. Line breaks would end it. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Shortest key of a signature in characters; a shorter one can be guessed. */
const SHORTEST_KEY = 24;

/**
 * Returns the destinations with `${NAME}` replaced, for the process that sends, and the problems: variables
 * that are unset, too short or no URL.
 */
export function resolveDestinations(
  destinations: readonly ConfiguredDestination[],
  variables: Variables,
): { destinations: ConfiguredDestination[]; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const resolved = destinations.map((one) => {
    const at = `destinations.${one.name}`;
    const before = problems.length;
    const fill = (text: string, field: string) => filledIn(text, variables, `${at}.${field}`, problems);
    const url = fill(one.url, 'url');
    if (problems.length === before) httpUrl(url, `${at}.url`, problems);
    const secret = one.secret === undefined ? undefined : fill(one.secret, 'secret');
    if (one.type === 'webhook' && secret !== undefined && problems.length === before && !isKey(secret))
      problems.push({
        path: `${at}.secret`,
        message: `expected whsec_ and base64 of at least ${SHORTEST_KEY} characters in ${one.secret ?? ''}`,
      });
    const headers = Object.entries(one.headers ?? {}).map(([name, value]) => {
      const filled = fill(value, `headers.${name}`);
      if (!HEADER_VALUE.test(filled))
        problems.push({
          path: `${at}.headers.${name}`,
          message: 'expected one line of ASCII or Latin-1 characters',
        });
      return [name, filled];
    });
    return {
      ...one,
      url,
      ...(secret === undefined ? {} : { secret }),
      headers: Object.fromEntries(headers) as Record<string, string>,
    };
  });
  return { destinations: resolved, problems };
}

function isKey(secret: string): boolean {
  const bare = secret.replace(/^whsec_/, '');
  return bare.length >= SHORTEST_KEY && /^[A-Za-z0-9+/]+={0,2}$/.test(bare) && bare.length % 4 === 0;
}

/** Returns the origin of a URL, or its placeholder. The path of a receiver may be a secret. */
export function shownAddress(url: string): string {
  if (url.startsWith('${')) return url;
  return URL.canParse(url) ? new URL(url).origin : 'unreadable';
}
