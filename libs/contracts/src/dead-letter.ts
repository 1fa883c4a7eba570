import { z } from 'zod';
import { personal } from './access/field-class.js';
import { jsonSchema } from './json.js';

/** Work that needs review. */
export const deadLetterSchema = z.object({
  id: z.string(),
  kind: z
    .enum(['alert', 'run', 'delivery', 'feedback'])
    .describe(
      '`alert`: could not be accepted. `run`: quarantined or parked. `delivery`: could not be delivered. `feedback`: could not be recorded.',
    ),
  reasonCode: z.string(),
  message: personal(z.string()),
  caseId: z.string().nullable(),
  runId: z.string().nullable(),
  payload: personal(jsonSchema).describe('The raw payload, for kinds `alert` and `feedback`.'),
  at: z.string(),
  provenBy: z
    .string()
    .nullable()
    .optional()
    .describe('The webhook format whose signature the alert came with; absent or null: unsigned.'),
  source: z.string().nullable().optional().describe('The sender, from the alert or the path of its webhook.'),
  edited: z
    .object({ by: z.string(), at: z.string(), alertId: z.string() })
    .nullable()
    .optional()
    .describe('Who edited the alert before it was accepted; `payload` is the original.'),
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;
