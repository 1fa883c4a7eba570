import { z, type CaseLikeness, type EvidenceItem } from '@casefile/contracts';
import type { PastCaseRule } from '../past-cases.js';
import { inLine } from '../plain-text.js';

const pattern = z.object({ patternId: z.string().min(1).max(200), level: z.string(), title: z.string() });
type Pattern = z.infer<typeof pattern>;
/** Results of the tools that compare a text with known patterns, the most similar pattern first. */
const comparedSchema = z.object({
  matches: z.array(z.unknown()).optional(),
  nearestPatterns: z.array(z.unknown()).optional(),
});
const MOST_TITLE = 80;

/**
 * Returns the known pattern that a message is most similar to, by which messages are compared; null: none is
 * similar enough. Evidence that the sender supplied does not count.
 */
export function patternLikeness(items: readonly EvidenceItem[]): CaseLikeness | null {
  const nearest = nearestPattern(items);
  return nearest === null ? null : likenessOf([nearest.patternId]);
}

/** A confirmed message is compared by its nearest pattern, and by the pattern that was made of itself. */
export const pastMessage: PastCaseRule = ({ caseId, brief, evidence }) => {
  const nearest = nearestPattern(evidence);
  const ids = [...(nearest === null ? [] : [nearest.patternId]), `case-${caseId}`];
  return { ...likenessOf(ids), title: inLine(nearest?.title ?? brief.text, MOST_TITLE) };
};

function likenessOf(ids: readonly string[]): CaseLikeness {
  const words = ids.map((id) => `pattern ${id}`);
  return { keys: words, terms: words };
}

function nearestPattern(items: readonly EvidenceItem[]): Pattern | null {
  const pastItems = items
    .filter(({ success, given }) => success && given !== true)
    .flatMap(({ result }) => {
      const { matches = [], nearestPatterns = [] } = comparedSchema.safeParse(result).data ?? {};
      return [...matches, ...nearestPatterns];
    })
    .flatMap((entry) => pattern.safeParse(entry).data ?? []);
  return pastItems.find(({ level }) => level === 'HIGH') ?? null;
}
