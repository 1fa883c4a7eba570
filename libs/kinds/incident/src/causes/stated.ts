import {
  canonicalJson,
  jsonObjectSchema,
  readCitationSchema,
  z,
  type JsonObject,
  type ToolRequest,
  type TraceStep,
} from '@casefile/contracts';

/** Name of the call by which a model states the rival causes. */
export const CAUSES_CALL = 'causes';
/** Causes of one statement, at least and at most. */
const LEAST_CAUSES = 2;
export const MOST_CAUSES = 4;

const statedSchema = z.object({
  causes: z
    .array(
      z.object({
        name: z.string().trim().min(1).max(40),
        cause: z.string().trim().min(1).max(500),
        citations: z.array(readCitationSchema).max(8).default([]),
        test: z.object({ tool: z.string().min(1).max(100), args: jsonObjectSchema.default({}) }).nullish(),
      }),
    )
    .min(LEAST_CAUSES, `expected at least ${LEAST_CAUSES} rival causes`)
    .max(MOST_CAUSES, `expected at most ${MOST_CAUSES} causes`),
});
/** Rival causes as a model states them: a lasting name, lines that point to each, and the look-up that would decide on it. */
export type Stated = z.output<typeof statedSchema>;
export type StatedRival = Stated['causes'][number];

const text = (description: string): JsonObject => ({ type: 'string', description });

/** The call as models see it. */
export const causesCall = {
  name: CAUSES_CALL,
  description:
    'States the causes that are still possible, at least two, each with the look-up that would decide on it. These look-ups are then made. State the causes again, with quotes, after each result: a program compares them with the record, and ends the look-ups when it confirms one.',
  parameters: {
    type: 'object',
    properties: {
      causes: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: text('Short name; the same in each statement'),
            cause: text('The cause in one sentence, with the names of the record'),
            citations: {
              type: 'array',
              description: 'Lines of look-ups that point to it; empty before there are any',
              items: {
                type: 'object',
                properties: { id: text('Of a look-up: E3'), quote: text('Its exact words or figures') },
                required: ['id', 'quote'],
              },
            },
            test: {
              type: 'object',
              description:
                'Look-up whose result differs between this cause and the others, such as its values from before the alert until now',
              properties: { tool: text('A tool of the list'), args: { type: 'object' } },
              required: ['tool', 'args'],
            },
          },
          required: ['name', 'cause'],
        },
      },
    },
    required: ['causes'],
  } satisfies JsonObject,
  schema: statedSchema,
};

/** Returns the statements of a loop in their order. */
export function statementsIn(trace: readonly TraceStep[]): Stated[] {
  return trace.flatMap(({ actions }) =>
    actions.flatMap(({ tool, args, reasonCode }) => {
      const read = tool === CAUSES_CALL && reasonCode === null ? statedSchema.safeParse(args) : null;
      return read?.success === true ? [read.data] : [];
    }),
  );
}

/** Returns the last statement on each cause, in the order in which they were first stated. */
export function rivalsIn(statements: readonly Stated[]): StatedRival[] {
  const rivals = new Map<string, StatedRival>();
  for (const { causes } of statements) for (const one of causes) rivals.set(one.name.toLowerCase(), one);
  return [...rivals.values()];
}

/** Returns the tests of all statements, each once. */
export function testsIn(statements: readonly Stated[]): ToolRequest[] {
  const tests = statements.flatMap(({ causes }) => causes.flatMap(({ test }) => test ?? []));
  return [...new Map(tests.map((test) => [requestKey(test), test])).values()];
}

/** Equal for equal look-ups. */
export const requestKey = ({ tool, args }: ToolRequest): string => `${tool} ${canonicalJson(args)}`;
