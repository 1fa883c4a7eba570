import {
  builtModule,
  CasefileError,
  secretVariable,
  sleep,
  z,
  type BoundedRunner,
  type BoundedTask,
  type JsonObject,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolLimits,
  type ToolVariables,
} from '@casefile/contracts';
import { createGuardedRead, type GuardedRead, type PlainAnswer } from '../fetch/guarded-fetch.js';
import { wireName } from '../mcp/settings.js';
import { argumentCheck, argumentJsonSchema } from './arguments.js';
import { placeArguments } from './place-arguments.js';
import { textResult, type ReadAnswerArgs } from './read-answer.js';
import type { AuthScheme, DataSource, RequestSpec } from './source-schema.js';

/** A data source with what an operator decided about it. */
export interface PlacedSource {
  /** Name in the installation, such as `prometheus-eu`. Its tools are called `NAME__REQUEST`. */
  name: string;
  source: DataSource;
  /** Base address. Its host may be private. */
  url: string;
  /** Variable of the environment with the secret; null: requests are sent without one. */
  secret: string | null;
  scheme: AuthScheme;
  /** Arguments that the operator fixed, by name. Models do not see them. */
  set: Readonly<JsonObject>;
}

/** Answers up to this size need little memory to be read, so each source has a process of its own for them. */
const SMALL_BYTES = 200_000;
/** Statuses whose answer says what is wrong with the request. */
const EXPLAINED = [400, 404, 409, 422];
const EVERY_STATUS = Array.from({ length: 400 }, (_none, i) => 200 + i);
const ATTEMPTS = 2;

/** Returns the task that reads an answer in a process with limits of its own. @param name Name of the source. */
function readingTask(name: string, size: number): BoundedTask<ReadAnswerArgs, JsonObject> {
  const what = 'The answer of the data source';
  const isSmall = size <= SMALL_BYTES;
  return {
    what,
    lane: isSmall ? `${what} ${name}` : what,
    advice: 'Ask for fewer rows or a shorter time.',
    // 50 MB of JSON take about 10 bytes of memory per byte.
    limits: { memoryMb: isSmall ? 150 : 700, timeMs: 20_000 },
    module: builtModule('./read-answer.js', import.meta.url),
    load: () => import('./read-answer.js'),
  };
}

/** Returns the arguments of a request that a model chooses. */
export function chosenArguments(
  { arguments: specs }: RequestSpec,
  set: Readonly<JsonObject>,
): RequestSpec['arguments'] {
  return Object.fromEntries(Object.entries(specs).filter(([name]) => !Object.hasOwn(set, name)));
}

/** Returns the JSON Schema of the arguments that a model chooses. */
export function requestParameters(request: RequestSpec, set: Readonly<JsonObject>): JsonObject {
  const chosen = Object.entries(chosenArguments(request, set));
  return {
    type: 'object',
    properties: Object.fromEntries(chosen.map(([name, spec]) => [name, argumentJsonSchema(spec)])),
    required: chosen.filter(([, spec]) => !spec.optional && spec.default === undefined).map(([name]) => name),
    additionalProperties: false,
  };
}

/** Description of a request as models see it. */
export const requestAbout = ({ name, source }: PlacedSource, request: RequestSpec): string =>
  `${source.title}${name === source.name ? '' : ` (${name})`}: ${request.about}`;

/**
 * Returns a tool per request of a data source. A call that fails is a gap of the evidence.
 * @param runner Reads the answers.
 */
export function dataSourceTools(placed: PlacedSource, runner: BoundedRunner): ToolDefinition[] {
  const { name, source, secret, url } = placed;
  const { timeoutMs, bytes, perSecond, concurrency } = source.limits;
  const limits: ToolLimits = { timeoutMs, attempts: ATTEMPTS, concurrency };
  const variables: ToolVariables =
    secret === null ? {} : { [secret]: secretVariable(`secret of the data source ${name}`) };
  const isMissing = (texts: Readonly<Record<string, string | undefined>>) =>
    secret !== null && (texts[secret] ?? '') === '';
  const read = createGuardedRead({ baseUrl: url, maxBytes: bytes });
  const turn = turns(perSecond);
  return Object.entries(source.requests).map(([requestName, request]): ToolDefinition => ({
    name: wireName(name, requestName),
    variables,
    limits,
    missing: (texts) => (isMissing(texts) ? [secret!] : []),
    make: (texts, ownLimits) => ({
      name: wireName(name, requestName),
      description: requestAbout(placed, request),
      locality: 'remote',
      reads: 'outside',
      entityTypes: [],
      args: argumentsCheck(request, placed.set),
      parameters: requestParameters(request, placed.set),
      outside: { keeps: bytes },
      limits: ownLimits,
      run: async (args, context) => {
        if (isMissing(texts))
          throw new CasefileError('variable_missing', `No secret of the data source ${name}: set ${secret}`);
        await turn(context);
        const headers = {
          ...source.headers,
          ...authHeader(placed, secret === null ? undefined : texts[secret]),
        };
        return lookUp({ placed, request, args, headers, read, runner }, context);
      },
    }),
  }));
}

function argumentsCheck(request: RequestSpec, set: Readonly<JsonObject>): Tool['args'] {
  const chosen = Object.entries(chosenArguments(request, set));
  return z.strictObject(Object.fromEntries(chosen.map(([name, spec]) => [name, argumentCheck(spec)])));
}

interface LookUpParts {
  placed: PlacedSource;
  request: RequestSpec;
  args: JsonObject;
  headers: Record<string, string>;
  read: GuardedRead;
  runner: BoundedRunner;
}

async function lookUp(
  { placed, request, args, headers, read: fetchAnswer, runner }: LookUpParts,
  context: ToolContext,
) {
  const { source, name, url, set } = placed;
  const { host } = new URL(url);
  const { clock, signal } = context;
  const { method, path, body } = placeArguments(request, { ...args, ...set }, clock.now());
  const { answer: form } = request;
  const httpRequest = { path, method, headers, ...(body === undefined ? {} : { body }) };
  const startedAt = clock.now();
  const answer = await fetchAnswer(
    { ...httpRequest, acceptedStatuses: 'status' in form ? EVERY_STATUS : EXPLAINED },
    context,
  );
  const finding = (result: JsonObject) => ({ result, source: `${name} (${host})` });
  if ('status' in form) {
    const facts = `HTTP status ${answer.status} after ${clock.now() - startedAt} ms, ${answer.bytes.length} bytes`;
    const line = `${new Date(startedAt).toISOString()} ${method} ${new URL(url).origin}${path}: ${facts}`;
    return finding(textResult([line]));
  }
  const { status, bytes } = answer;
  const read: ReadAnswer = (bytes, answer, rows) =>
    runner.run(readingTask(name, bytes.length), bytes, { host, answer, rows }, { signal });
  if (status >= 300) throw await refused({ status, bytes }, source, host, read);
  return finding(await read(bytes, form, source.limits.rows));
}

/** Reads an answer in a bounded process. @param rows Most rows. */
type ReadAnswer = (bytes: Uint8Array, answer: ReadAnswerArgs['answer'], rows: number) => Promise<JsonObject>;

/** Most characters of a message about a refused request. */
const MOST_SAID = 500;

async function refused(
  { status, bytes }: Pick<PlainAnswer, 'status' | 'bytes'>,
  { problem }: DataSource,
  host: string,
  read: ReadAnswer,
): Promise<CasefileError> {
  const said = problem === undefined ? '' : await problemIn(bytes, problem, read);
  const message = `${host} answered with HTTP ${status}${said === '' ? '' : `: ${said}`}`;
  return new CasefileError(status === 404 ? 'not_found' : 'bad_answer', message, {
    details: { host, status },
  });
}

/** Returns the message of an error answer; empty: it has none that can be read. */
async function problemIn(bytes: Uint8Array, path: string, read: ReadAnswer): Promise<string> {
  try {
    const { text } = await read(bytes, { rows: '$', text: `{${path}}`, newestFirst: false }, 1);
    return typeof text === 'string' ? text.slice(0, MOST_SAID) : '';
  } catch (error) {
    if (error instanceof CasefileError) return '';
    throw error;
  }
}

function authHeader({ source, scheme }: PlacedSource, secret: string | undefined): Record<string, string> {
  if (secret === undefined) return {};
  if (scheme === 'header') return { [source.header!]: secret };
  const value = scheme === 'bearer' ? `Bearer ${secret}` : `Basic ${Buffer.from(secret).toString('base64')}`;
  return { authorization: value };
}

/** Spaces the calls of a source evenly. */
function turns(perSecond: number): (context: ToolContext) => Promise<void> {
  let nextAt = 0;
  return async ({ clock, signal }) => {
    const now = clock.now();
    const at = Math.max(now, nextAt);
    nextAt = at + 1_000 / perSecond;
    if (at > now) await sleep(at - now, signal);
  };
}
