import { createHash } from 'node:crypto';
import { IMPORT_COMMANDS, IMPORT_LIMITS, THREAT_TYPES, z, type FieldProblem } from '@casefile/contracts';
import { filledAddress, type Variables } from './placeholders.js';
import { namedEntries, timingFields } from './schedule-settings.js';

const BASES = IMPORT_COMMANDS.filter(({ feed }) => feed === true);
const NAMES = BASES.map(({ name }) => name).join(', ');

/** Headers whose values are secrets. */
const SECRET_HEADER = /auth|token|key|secret|cookie/i;

const feedSchema = z
  .strictObject({
    ...timingFields,
    /** Knowledge base, as in `casefile import NAME`. */
    into: z
      .string()
      .refine((into) => BASES.some(({ name }) => name === into), { error: `expected one of ${NAMES}` }),
    url: z.string().min(1).max(2_000),
    headers: z
      .record(
        z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header'),
        z.string().max(2_000),
      )
      .default({}),
    /** Hosts that the URL may redirect to, in addition to its own. */
    allowedHosts: z.array(z.string().min(1).max(300)).max(20).default([]),
    /** Whether the host may be on loopback or a private network; such a host may also use http. */
    allowPrivate: z.boolean().default(false),
    maxBytes: z.number().int().min(1_000).max(IMPORT_LIMITS.fileBytes).default(16_000_000),
    timeoutSeconds: z.number().min(1).max(600).default(60),
    /** Type of the values in the lines of a threat feed. */
    type: z.enum(THREAT_TYPES).optional(),
    /** Risk of the values of a threat feed, 0 to 100. */
    risk: z.number().min(0).max(100).optional(),
  })
  .superRefine((feed, context) => {
    for (const [path, message] of problemsOf(feed)) context.addIssue({ code: 'custom', path, message });
  });

/** A feed of the configuration. Its `url` and headers may contain `${NAME}`. */
export type FeedSettings = z.infer<typeof feedSchema>;
/** A feed with its name. `timing` is the same in processes that replace `${NAME}` and in those that do not. */
export type ConfiguredFeed = FeedSettings & { name: string; timing: string };

function problemsOf({
  into,
  headers,
  ...fields
}: Pick<FeedSettings, 'into' | 'headers' | 'type' | 'risk'>): [string[], string][] {
  const secrets = Object.entries(headers)
    .filter(([name, value]) => SECRET_HEADER.test(name) && !/\$\{\w{1,200}\}/.test(value))
    .map(([name]): [string[], string] => [
      ['headers', name],
      'expected ${NAME}, an environment variable of the evidence-collector',
    ]);
  const options = BASES.find(({ name }) => name === into)?.options ?? [];
  const others = (['type', 'risk'] as const)
    .filter(
      (name) => fields[name] !== undefined && !options.some(({ flags }) => flags.startsWith(`--${name} `)),
    )
    .map((name): [string[], string] => [[name], `expected nothing: ${into} has no such option`]);
  return [...secrets, ...others];
}

/** The section `feeds` of the settings: knowledge bases that are fetched at cron times, by name. */
export const feedSettingsSchema = namedEntries(feedSchema);

/**
 * Returns the feeds, and their problems: unset variables, and URLs that are not valid.
 * @param variables Replace `${NAME}`; null: placeholders stay, for processes that fetch nothing.
 */
export function readFeedSettings(
  feeds: Readonly<Record<string, FeedSettings>>,
  variables: Variables | null,
): { feeds: ConfiguredFeed[]; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const read = Object.entries(feeds).map(([name, feed]) => {
    const at = `feeds.${name}`;
    const address = filledAddress(feed, variables, at, problems);
    return {
      ...feed,
      name,
      timing: feedTiming(feed),
      ...address,
    };
  });
  return { feeds: read, problems };
}

/** Timing of a feed and what it is fetched from: after a change of either it is fetched anew. */
export function feedTiming({ cron, timezone, into, url, type, risk }: FeedSettings): string {
  const origin = createHash('sha256')
    .update(JSON.stringify([into, url, type, risk]))
    .digest('hex');
  return `${cron} ${timezone} ${origin.slice(0, 16)}`;
}
