import { z } from 'zod';
import { personal, withheldSchema } from './access/field-class.js';

/** Types of work that wait for a person, in the order of the console's filter. */
export const INBOX_TYPES = [
  'review',
  'question',
  'letter',
  'tool',
  'pattern',
  'batch',
  'engagement',
] as const;
export type InboxType = (typeof INBOX_TYPES)[number];

/** One thing that waits for a person. */
export const inboxItemSchema = z.object({
  type: z
    .enum(INBOX_TYPES)
    .describe(
      '`review`: a verdict; `question`: of a run; `letter`: a dead letter; `tool`: a new or changed tool of an MCP server; `pattern`: a proposed pattern; `batch`: new verdicts to apply; `engagement`: an open session.',
    ),
  id: z
    .string()
    .describe(
      'Id of the review, dead letter, pattern, batch or engagement; of a question its case; of a tool its name.',
    ),
  at: z.string().describe('Since when it waits.'),
  kind: z.string().nullable().describe('Kind of case; null: it belongs to no kind.'),
  title: personal(z.string()),
  state: z.string().describe('The verdict, reason, state or action in words.'),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** `GET /inbox`. */
export const inboxSchema = z.object({
  withheld: withheldSchema,
  waiting: z
    .array(
      z.object({
        type: z.enum(INBOX_TYPES),
        count: z.int(),
        oldest: z.string().describe('Since when the oldest one waits.'),
      }),
    )
    .describe(
      'Types of which something waits. Of types other than `review` and `letter`, at most 200 are counted.',
    ),
  items: z
    .array(inboxItemSchema)
    .describe('The oldest first, at most `limit` per type; of letters the newest.'),
});
export type Inbox = z.infer<typeof inboxSchema>;
