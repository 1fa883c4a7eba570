import {
  displayProblems,
  displaySchema,
  fieldProblems,
  isObject,
  payloadJsonSchema,
  z,
  type FieldProblem,
} from '@casefile/contracts';
import { MADE_BY_RULE } from '@casefile/pipeline/playbook';
import { KIND_NAME, KIND_NAME_FORM, type Kind } from './kind.js';

const aFunction = z.custom<unknown>((value) => typeof value === 'function', {
  error: 'expected a function',
});
const functions = (...names: string[]) => Object.fromEntries(names.map((name) => [name, aFunction]));

const TOOL_NAME = /^[a-z][a-z0-9_]{0,62}$/;

const strategySchema = z.looseObject({
  reason: aFunction,
  prompts: z.record(z.string(), z.looseObject({ id: z.string(), file: z.instanceof(URL) })),
});

const kindSchema = z.looseObject({
  playbook: z.looseObject({
    name: z.string().regex(KIND_NAME, KIND_NAME_FORM),
    version: z.string().min(1, 'expected a version, such as "1"'),
    intake: z.looseObject({ ...functions('claims', 'problems', 'repeats'), entrances: z.array(z.unknown()) }),
    decision: z.custom<unknown>((value) => isObject(value) && MADE_BY_RULE in value, {
      error: 'expected the result of `decisionRule({ ... })`',
    }),
    tools: z.array(z.string(), { error: 'expected the wire names of tools' }),
    ...functions('triage', 'collect', 'critique', 'write', 'outward'),
    strategies: z
      .record(z.string(), strategySchema)
      .refine((all) => Object.keys(all).length > 0, 'expected at least one strategy'),
    strategy: z.string(),
    maxRounds: z.number().int().min(1),
    onOutage: z.enum(['fallback', 'later']),
    presenting: z.looseObject({
      ...functions('word', 'answer', 'scales'),
      rule: z.string(),
      labels: z.record(z.string(), z.string()),
      title: z.string().optional(),
      payload: z
        .custom<z.ZodType>((value) => isObject(value) && '_zod' in value, { error: 'expected a schema of z' })
        .optional(),
      display: displaySchema.optional(),
    }),
    options: z.looseObject({ read: aFunction, defaults: z.record(z.string(), z.unknown()) }),
  }),
  tools: z.array(
    z.looseObject({
      name: z.string().regex(TOOL_NAME, 'expected lower-case letters, digits and _'),
      variables: z.record(z.string(), z.looseObject({ about: z.string() })),
      make: aFunction,
    }),
    { error: 'expected results of `defineTool({ ... })`' },
  ),
  commandLine: aFunction,
});

/**
 * Returns the kind that a module exports, or the problems of its fields. The paths of problems begin with the
 * module's export.
 */
export function checkedKind(module: object): Kind | FieldProblem[] {
  const exported = (module as { default?: unknown }).default;
  if (!isObject(exported))
    return [
      {
        path: 'default',
        message: 'expected `export default defineKind({ ... })` with defineKind of @casefile/kit',
      },
    ];
  const parsed = kindSchema.safeParse(exported);
  if (!parsed.success)
    return fieldProblems(parsed.error).map(({ path, message }) => ({ path: `default.${path}`, message }));
  const { strategies, strategy } = parsed.data.playbook;
  if (!Object.hasOwn(strategies, strategy))
    return [
      {
        path: 'default.playbook.strategy',
        message: `expected one of ${Object.keys(strategies).join(', ')}, found ${strategy}`,
      },
    ];
  const problems = displayProblemsOf(parsed.data.playbook);
  return problems.length > 0 ? problems : (exported as unknown as Kind);
}

/** Returns the problems of what a kind declares about its pages. Fields of answers and outcomes have no schema here. */
function displayProblemsOf({ presenting, tools }: z.output<typeof kindSchema>['playbook']): FieldProblem[] {
  const { payload, display } = presenting;
  if (display === undefined) return [];
  const sources = {
    payload: payload === undefined ? null : payloadJsonSchema(payload),
    tools,
    answer: null,
    outcome: null,
  };
  return displayProblems(display, sources).map(({ path, message }) => ({
    path: `default.playbook.presenting.display.${path}`,
    message,
  }));
}
