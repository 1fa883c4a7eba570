import { z } from 'zod';

/** The text for people: Markdown without raw HTML. */
export const reportSchema = z.object({
  title: z.string(),
  markdown: z.string(),
  /** Evidence ids the text cites. */
  citations: z.array(z.string()),
});
export type Report = z.infer<typeof reportSchema>;
