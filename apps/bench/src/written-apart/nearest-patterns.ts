import type { Embedder, ScamPattern } from '@casefile/contracts';
import type { LabelledSample } from '@casefile/e2e/testing/screening-samples';

/** A text and its nearest pattern. */
export interface Nearest {
  id: string;
  pattern: string;
  /** Cosine of their vectors. */
  similarity: number;
}

/**
 * Returns for each message, and for each pattern to compare with, the nearest other pattern by vectors. The
 * nearest pair comes first.
 */
export async function nearestPatterns(
  messages: readonly LabelledSample[],
  patterns: readonly ScamPattern[],
  { embedder, language }: { embedder: Embedder; language: string },
): Promise<{ ofMessages: Nearest[]; ofPatterns: Nearest[] }> {
  const { signal } = new AbortController();
  const patternTexts = patterns.flatMap(({ id, texts }) => {
    const text = texts[language];
    return text === undefined ? [] : [{ id, text }];
  });
  const embedded = async (all: readonly { id: string; text: string }[]) => {
    const vectors = await embedder.embed(
      all.map(({ text }) => text.slice(0, 2_000)),
      signal,
    );
    return all.map(({ id }, i) => ({ id, vector: vectors[i] ?? [] }));
  };
  const embeddedPatterns = await embedded(patternTexts);
  const nearest = (own: { id: string; vector: number[] }): Nearest =>
    embeddedPatterns
      .filter(({ id }) => id !== own.id)
      .map(({ id, vector }) => ({ id: own.id, pattern: id, similarity: cosine(own.vector, vector) }))
      .reduce((a, b) => (b.similarity > a.similarity ? b : a));
  const sorted = (all: Nearest[]) => all.sort((a, b) => b.similarity - a.similarity);
  return {
    ofMessages: sorted((await embedded(messages)).map(nearest)),
    ofPatterns: sorted(embeddedPatterns.map(nearest)),
  };
}

function cosine(a: number[], b: number[]): number {
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}
