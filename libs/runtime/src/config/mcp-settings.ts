import { z, type FieldProblem } from '@casefile/contracts';
import { wireName, type McpServer } from '@casefile/evidence';
import { noSuch } from './no-such.js';
import { filledIn, httpUrl, type Variables } from './placeholders.js';

const milliseconds = z.number().int().min(1).max(3_600_000);
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 as 64 hexadecimal digits');
const toolName = z.string().min(1).max(100);

const serverSchema = z
  .strictObject({
    /** Accepted for compatibility with other programs. The other keys determine the type. */
    type: z.enum(['stdio', 'http', 'streamable-http']).optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().min(1).optional(),
    url: z.string().min(1).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    allow: z.array(toolName).min(1),
    required: z.array(toolName).default([]),
    /** Kinds of case that may use the server. */
    kinds: z.array(z.string().min(1)).min(1),
    /** Labels that an alert must have with these values. Empty: all alerts of the kinds. */
    forAlerts: z.record(z.string(), z.string()).default({}),
    pins: z.record(toolName, hash).default({}),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'expected either command (with args, env, cwd) or url (with headers)',
  })
  .refine(({ url, args, env, cwd }) => url === undefined || (args ?? env ?? cwd) === undefined, {
    error: 'args, env and cwd belong to command, not to url',
  })
  .refine(({ command, headers }) => command === undefined || headers === undefined, {
    error: 'headers belong to url, not to command',
  })
  .refine(({ allow, required }) => required.every((tool) => allow.includes(tool)), {
    error: 'expected names that are in allow',
    path: ['required'],
  });

/** The section `mcp` of the settings: servers whose tools cases may use, in the format of `mcpServers`. */
export const mcpSettingsSchema = z.strictObject({
  servers: z
    .record(
      z
        .string()
        .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'expected lower case letters, digits and hyphens'),
      serverSchema,
    )
    .default({}),
  limits: z
    .strictObject({
      connectMs: milliseconds.default(30_000),
      listMs: milliseconds.default(30_000),
      listFreshMs: z.number().int().min(0).max(60_000).default(5_000),
      callMs: milliseconds.default(60_000),
      callTotalMs: milliseconds.default(120_000),
      maxResultBytes: z.number().int().min(10_000).max(33_554_432).default(8_388_608),
      healthMs: milliseconds.default(15_000),
      attempts: z.number().int().min(1).max(10).default(2),
      concurrency: z.number().int().min(1).max(100).default(4),
    })
    .prefault({}),
});
type McpSettings = z.infer<typeof mcpSettingsSchema>;

/** A server, and the cases that may use it. */
export interface ConfiguredMcpServer {
  server: McpServer;
  kinds: readonly string[];
  forAlerts: Readonly<Record<string, string>>;
}

/** Longest tool name that every model provider accepts. */
const MOST_NAME = 64;

/**
 * Returns the servers of the settings, and their problems: unset variables, equal or too long names, unknown
 * kinds.
 * @param variables Replace `${NAME}`; null: placeholders stay, for processes that connect to no server.
 */
export function readMcpServers(
  { servers, limits }: McpSettings,
  variables: Variables | null,
  kinds: readonly string[],
): { servers: ConfiguredMcpServer[]; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const { attempts, concurrency, ...ofServer } = limits;
  // The server's own limits end a call first. This total limit of the runner must therefore be longer.
  const use = { timeoutMs: limits.callTotalMs + limits.listMs, attempts, concurrency };
  const read = Object.entries(servers).map(([name, one]): ConfiguredMcpServer => {
    const at = `mcp.servers.${name}`;
    const fill = (text: string, path: string) => filledIn(text, variables, `${at}.${path}`, problems);
    const fillAll = (texts: Record<string, string> = {}, path: string) =>
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text, `${path}.${key}`)]));
    const { command, url, args = [], cwd, env, headers, allow, required, pins, forAlerts } = one;
    const via =
      command === undefined
        ? {
            url: httpUrl(fill(url ?? '', 'url'), `${at}.url`, problems),
            headers: fillAll(headers, 'headers'),
          }
        : {
            command: fill(command, 'command'),
            args: args.map((arg, i) => fill(arg, `args.${i}`)),
            env: fillAll(env, 'env'),
            ...(cwd === undefined ? {} : { cwd: fill(cwd, 'cwd') }),
          };
    problems.push(...one.kinds.flatMap((kind, i) => unknownKind(kind, kinds, `${at}.kinds.${i}`)));
    problems.push(...nameProblems(name, allow, `${at}.allow`));
    return {
      server: { name, via, allow, required, pins, limits: ofServer, use },
      kinds: one.kinds,
      forAlerts,
    };
  });
  return { servers: read, problems };
}

function unknownKind(kind: string, kinds: readonly string[], path: string): FieldProblem[] {
  return kinds.includes(kind) ? [] : [noSuch('playbook', path, kinds)];
}

function nameProblems(server: string, allow: readonly string[], path: string): FieldProblem[] {
  const names = allow.map((tool) => wireName(server, tool));
  return names.flatMap((name, i) => [
    ...(name.length > MOST_NAME
      ? [
          {
            path: `${path}.${i}`,
            message: `expected a name for which ${name} has at most ${MOST_NAME} characters`,
          },
        ]
      : []),
    ...(names.indexOf(name) < i
      ? [{ path: `${path}.${i}`, message: `two tools would be called ${name}` }]
      : []),
  ]);
}
