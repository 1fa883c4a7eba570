import { z, type Evidence } from '@casefile/contracts';

/** A known pattern that is similar to the message, as returned by the tool find_similar_scams. */
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
const noteSchema = z.object({ note: z.string().max(500) });

/** Returns notes of look-ups about how they searched, such as by words only in some languages. */
export function lookUpNotes(evidence: Evidence): string[] {
  const notes = evidence.items.flatMap((item) =>
    item.success && item.toolName === 'find_similar_scams'
      ? (noteSchema.safeParse(item.result).data?.note ?? [])
      : [],
  );
  return [...new Set(notes)];
}

const baseSchema = z.object({ patterns: z.literal(0) });

/** Returns whether the message was compared with an empty base of scam patterns. T-20. */
export function lacksPatterns(evidence: Evidence): boolean {
  return evidence.items.some(
    ({ success, toolName, result }) =>
      success && toolName === 'find_similar_scams' && baseSchema.safeParse(result).success,
  );
}

/**
 * Returns the matches of all successful look-ups, with new numbers. A result of another format, which a
 * sender may supply, counts as none.
 */
export function evidenceMatches(evidence: Evidence): { evidenceId: string; match: Match }[] {
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
