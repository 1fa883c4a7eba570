import { SOURCE_MODES, z } from '@casefile/contracts';

const day = (title: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ title, examples: [example] });

/** Fields of a request that a person submits. `requestProblems` checks them. */
export const submittedSchema = z.looseObject({
  query: z
    .string()
    .max(2_000)
    .meta({
      title: 'Question',
      examples: ['Will Harbor Bay cut its water three days a week from June on?'],
    }),
  sourceMode: z
    .enum(SOURCE_MODES)
    .optional()
    .meta({
      title: 'Sources',
      description: 'strict: reliable tiers alone. discovery: all of them. monitor: tier 1 next to tier 5.',
      examples: ['strict'],
    }),
  items: z.array(z.unknown()).optional().meta({
    title: 'Search results',
    description: 'A JSON list. Without it, Casefile searches.',
  }),
  temporalContext: z
    .looseObject({ from: day('from', '2026-03-01'), to: day('to', '2026-03-31') })
    .optional()
    .meta({ title: 'Published' }),
});
