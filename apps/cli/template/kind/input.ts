import { parseInput, payloadProblems, z } from '@casefile/kit';
import type { Alert, AlertInput, FieldProblem, PreparedPayload } from '@casefile/kit';

/** Schema of the payload. Titles and examples are those of the form on the page New case. */
export const inputSchema = z.strictObject({
  subject: z
    .string({ error: 'expected a text' })
    .min(1)
    .max(500)
    .meta({ title: 'Subject', description: 'What the request is for.', examples: ['Office chairs'] }),
  amount: z
    .number({ error: 'expected a number' })
    .nonnegative()
    .meta({ title: 'Amount', description: 'In the currency of the request.', examples: [2_500] }),
});

/** Returns the problems of an alert's payload, by field. */
export const inputProblems = (alert: AlertInput): FieldProblem[] => payloadProblems(inputSchema, alert);

/** Returns the input of a case. @throws InvalidInput for another payload. */
export function preparedInput({ payload }: Alert): PreparedPayload {
  const input = parseInput(inputSchema, payload, 'payload');
  return { text: `${input.subject}: ${input.amount}`, input, units: [] };
}
