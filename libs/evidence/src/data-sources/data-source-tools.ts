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
import { wireName } from '../mcp/settings.js';
import { argumentCheck, argumentJsonSchema, argumentValues } from './arguments.js';
import { protocolOf } from './protocols/index.js';
import type { AuthScheme, ReadAnswer, RequestSpec } from './protocols/protocol.js';
import type { ReadAnswerArgs } from './read-answer.js';
import type { DataSource } from './source-schema.js';

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
 * @param runner Unpacks and reads the answers.
 */
export function dataSourceTools(placed: PlacedSource, runner: BoundedRunner): ToolDefinition[] {
  const { name, source, secret, url } = placed;
  const { timeoutMs, bytes, rows, perSecond, concurrency } = source.limits;
  const limits: ToolLimits = { timeoutMs, attempts: ATTEMPTS, concurrency };
  const variables: ToolVariables =
    secret === null ? {} : { [secret]: secretVariable(`secret of the data source ${name}`) };
  const isMissing = (texts: Readonly<Record<string, string | undefined>>) =>
    secret !== null && (texts[secret] ?? '') === '';
  const send = protocolOf(source).client(placed, runner);
  const turn = turns(perSecond);
  const { host } = new URL(url);
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
        const values = argumentValues(request.arguments, { ...args, ...placed.set }, context.clock.now());
        const read: ReadAnswer = (answer, form, most) =>
          runner.run(readingTask(name, answer.length), answer, { host, answer: form, rows: most }, context);
        const ask = { request, values, secret: secret === null ? null : (texts[secret] ?? null) };
        const answer = await send(ask, read, context);
        return { result: await read(answer, request.answer, rows), source: `${name} (${host})` };
      },
    }),
  }));
}

function argumentsCheck(request: RequestSpec, set: Readonly<JsonObject>): Tool['args'] {
  const chosen = Object.entries(chosenArguments(request, set));
  return z.strictObject(Object.fromEntries(chosen.map(([name, spec]) => [name, argumentCheck(spec)])));
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
