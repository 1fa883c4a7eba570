import { z } from '@casefile/contracts';

/** Fields of a case bundle that a person submits. `bundleProblems` checks them. */
export const submittedSchema = z.looseObject({
  title: z
    .string()
    .max(300)
    .optional()
    .meta({ title: 'Title', examples: ['Burst washing machine hose'] }),
  policy: z.string().meta({
    title: 'Policy',
    description: 'Id of an imported policy.',
    examples: ['claims-handling'],
  }),
  policyVersion: z
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ title: 'Version of the policy', description: 'Without it, the current version.' }),
  facts: z.array(z.looseObject({ name: z.string() })).meta({
    title: 'Facts',
    description: 'A JSON list of facts from documents, with name, value and confidence.',
    examples: [[{ name: 'loss_date', value: '2026-04-02', confidence: 0.97 }]],
  }),
  criteria: z.array(z.looseObject({ id: z.string(), text: z.string() })).meta({
    title: 'Criteria',
    description: 'A JSON list of questions to the policy, with id and text.',
    examples: [[{ id: 'notice', text: 'Was the damage reported in time?' }]],
  }),
  combine: z
    .looseObject({})
    .optional()
    .meta({
      title: 'Combination',
      description: 'How the criteria are combined, as JSON. Without it, all must be met.',
      examples: [{ rule: 'all' }],
    }),
});
