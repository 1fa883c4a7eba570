import { z } from '@casefile/contracts';

/**
 * Fields of an alert that a person submits. Monitoring systems send many other forms, which `alertProblems` checks.
 */
export const submittedSchema = z.looseObject({
  title: z
    .string()
    .optional()
    .meta({ title: 'Title', examples: ['Checkout is down in eu-west'] }),
  severity: z
    .enum(['critical', 'warning', 'info'])
    .optional()
    .meta({ title: 'Severity', examples: ['critical'] }),
  name: z
    .string()
    .optional()
    .meta({ title: 'Alert rule', description: 'Name of the rule that fired.', examples: ['CheckoutDown'] }),
  summary: z
    .string()
    .max(10_000)
    .optional()
    .meta({
      title: 'Summary',
      description: 'What is wrong, and for whom.',
      examples: ['Payments have failed for all customers since 09:05 UTC.'],
    }),
});
