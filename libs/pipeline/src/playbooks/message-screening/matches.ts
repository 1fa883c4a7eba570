import { z, type Evidence } from '@casefile/contracts';

/** One known pattern that is like the message, as the tool find_similar_scams gives it. S3-11. */
const matchSchema = z.object({
  number: z.number().int().min(1),
  similarity: z.number(),
  level: z.string().max(40),
  patternId: z.string().max(200),
  title: z.string(),
  category: z.string(),
  scamType: z.string(),
  text: z.string(),
  redFlags: z.array(z.string()).default([]),
});
export type Match = z.infer<typeof matchSchema>;

const resultSchema = z.object({ matches: z.array(z.unknown()) });

/** The matches of all successful look-ups, numbered anew; what has another shape (upstream may hand it in) is none. */
export function matchesOf(evidence: Evidence): { evidenceId: string; match: Match }[] {
  const found = evidence.items
    .filter((item) => item.success && item.toolName === 'find_similar_scams')
    .flatMap((item) => {
      const result = resultSchema.safeParse(item.result);
      const matches = result.success ? result.data.matches : [];
      return matches.flatMap((entry) => {
        const match = matchSchema.safeParse(entry);
        return match.success ? [{ evidenceId: item.id, match: match.data }] : [];
      });
    });
  return found.map(({ evidenceId, match }, i) => ({ evidenceId, match: { ...match, number: i + 1 } }));
}
