import { z } from 'zod';
import { CasefileError } from '../errors/casefile-error.js';
import { fieldProblems } from '../errors/invalid-input.js';
import type { Json } from '../json.js';
import type { Tool, ToolContext, ToolFinding, ToolLimits } from './tool.js';

/** A variable of the environment that a tool reads. */
export interface ToolVariable<T = unknown> {
  /** Reads the text of the variable. A variable without a text is `undefined`. */
  schema: z.ZodType<T>;
  /** A secret is masked wherever settings are shown. */
  isSecret: boolean;
  /** Whether the tool cannot be used without it. */
  isRequired: boolean;
  /** What it is for, as a phrase. */
  about: string;
}

export type ToolVariables = Readonly<Record<string, ToolVariable>>;

/** Values of variables, by their names. */
export type VariableValues<V extends ToolVariables> = {
  readonly [Name in keyof V]: V[Name] extends ToolVariable<infer T> ? T : never;
};

/** Returns a variable for a key or password. The tool gives a gap while it is not set. */
export function secretVariable(about: string): ToolVariable<string>;
/** Returns one that the tool can do without. */
export function secretVariable(about: string, set: 'optional'): ToolVariable<string | undefined>;
export function secretVariable(about: string, set?: 'optional'): ToolVariable<never> {
  return { schema: z.string().optional(), isSecret: true, isRequired: set === undefined, about } as never;
}

/**
 * Returns a variable for the address of a service.
 * @param byDefault Absent: the tool gives a gap while the variable is not set.
 */
export function urlVariable(about: string, byDefault?: string): ToolVariable<string> {
  const url = z.url({ protocol: /^https?$/, error: 'expected a URL with http or https' });
  const schema = byDefault === undefined ? url.optional() : url.default(byDefault);
  return { schema, isSecret: false, isRequired: byDefault === undefined, about } as ToolVariable<string>;
}

/** Names of variables: those of all tools are one list. */
export const VARIABLE_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Reads the values of variables from texts. @throws ZodError whose paths are the names of wrong ones. */
export function variableValues<V extends ToolVariables>(
  variables: V,
  texts: Readonly<Record<string, string | undefined>>,
): VariableValues<V> {
  const shape = Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema]));
  return z.object(shape).parse(texts) as unknown as VariableValues<V>;
}

/** One GET request of a tool. */
export interface GetRequest {
  /** Address of the service, as an operator configured it. Its host may be private. */
  baseUrl: string;
  /** Parts of the path below the address. Each is encoded, so that an argument stays in its place. */
  path?: readonly (string | number)[];
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent to this host alone, never to the target of a redirect. */
  headers?: Readonly<Record<string, string>>;
  /** `true`: 404 means that the service does not have it. Default: a call that ends with 404 has failed. */
  allowNotFound?: true;
}

/** A request with the form of its answer. */
export interface GetJsonRequest<T> extends GetRequest {
  answer: z.ZodType<T>;
}

/** What the code of a tool gets beside its arguments. */
export interface ToolSurroundings<V extends ToolVariables> extends Pick<
  ToolContext,
  'signal' | 'clock' | 'log'
> {
  variables: VariableValues<V>;
  /**
   * Gets JSON of a form. Redirects to other hosts are refused; size and time are limited.
   * @returns null: the service answered 404, and the request says `allowNotFound`.
   * @throws CasefileError which the runner retries if that may help. A call that fails is a gap of the evidence.
   */
  getJson<T>(question: GetJsonRequest<T>): Promise<T | null>;
}

/** A tool that a kind of case brings: a read-only look-up in an outside service, in one file. */
export interface ToolSpec<V extends ToolVariables, Args extends z.ZodObject> {
  /** Wire name, such as `vendor_register`. */
  name: string;
  /** What it looks up, for models and people. */
  description: string;
  variables: V;
  args: Args;
  /** Default: 5 s, 2 tries, 4 concurrent calls per process. */
  limits?: Partial<ToolLimits>;
  /** @returns The finding, at most 20,000 characters as JSON. Its source is shown with the evidence. */
  run(args: z.infer<Args>, surroundings: ToolSurroundings<V>): Promise<ToolFinding>;
}

/** Answer of a service. */
export type GetAnswer = { body: Json } | 'not-found';

/** A tool as its kind declares it. The composition of the program makes the tool from it. */
export interface ToolDefinition {
  readonly name: string;
  readonly variables: ToolVariables;
  readonly limits: ToolLimits;
  /** Returns the required variables that are not set. @throws ZodError as `make`. */
  missing(texts: Readonly<Record<string, string | undefined>>): string[];
  /**
   * Makes the tool. @throws ZodError whose paths are the names of wrong variables.
   */
  make(
    texts: Readonly<Record<string, string | undefined>>,
    limits: ToolLimits,
    get: (request: GetRequest, context: ToolContext) => Promise<GetAnswer>,
  ): Tool;
}

const LIMITS: ToolLimits = { timeoutMs: 5_000, attempts: 2, concurrency: 4 };
/** Longest result as JSON, in bytes. A longer one is a gap. */
const MAX_RESULT_BYTES = 20_000;

/** Declares a tool of a kind. */
export function defineTool<V extends ToolVariables, Args extends z.ZodObject>(
  spec: ToolSpec<V, Args>,
): ToolDefinition {
  const { name, description, variables, args, run } = spec;
  const missingIn = (values: Readonly<Record<string, unknown>>) =>
    Object.keys(variables).filter((key) => variables[key]!.isRequired && values[key] === undefined);
  return {
    name,
    variables,
    missing: (texts) => missingIn(variableValues(variables, texts)),
    limits: { ...LIMITS, ...spec.limits },
    make: (texts, limits, get) => {
      const values = variableValues(variables, texts);
      const [missing] = missingIn(values);
      return {
        name,
        description,
        // Only the service that hosts tools has their variables.
        locality: 'remote',
        reads: 'outside',
        entityTypes: [],
        args,
        limits,
        outside: { keeps: MAX_RESULT_BYTES },
        run: async (given, context) => {
          if (missing !== undefined)
            throw new CasefileError('variable_missing', `No ${variables[missing]!.about}: set ${missing}`);
          const { signal, clock, log } = context;
          const getJson = async <T>(question: GetJsonRequest<T>): Promise<T | null> => {
            const { answer: form, ...request } = question;
            const answer = await get(request, context);
            if (answer === 'not-found') return null;
            const read = form.safeParse(answer.body);
            if (read.success) return read.data;
            const { host } = new URL(request.baseUrl);
            const problems = fieldProblems(read.error).map(({ path, message }) => `${path}: ${message}`);
            throw new CasefileError('bad_answer', `${host} answered in another form: ${problems.join('; ')}`);
          };
          return run(args.parse(given), { variables: values, getJson, signal, clock, log });
        },
      };
    },
  };
}
