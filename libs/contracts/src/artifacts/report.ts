import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';

/** The text for people: Markdown without raw HTML. */
export const reportSchema = z.object({
  title: z.string(),
  markdown: z.string(),
  /** Evidence ids that the text cites. */
  citations: z.array(z.string()),
  /** The writer's own result, if the playbook has one. The playbook knows its shape. */
  answer: jsonObjectSchema.optional(),
});
export type Report = z.infer<typeof reportSchema>;
