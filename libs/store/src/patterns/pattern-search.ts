import {
  readsLanguage,
  type Embedder,
  type PatternMatch,
  type PatternSearch,
  type ScamPattern,
  type ScamPatterns,
  type VectorIndex,
} from '@casefile/contracts';
import { embedPatterns } from './embed-patterns.js';
import { wordIndex } from './word-index.js';

/** Candidates of each way of looking; far more than matches, so that what both find is found. */
const CANDIDATES = 60;

export interface PatternSearchParts {
  store: ScamPatterns;
  embedder: Embedder;
  /** Absent: the store's own. */
  index?: VectorIndex;
}

/**
 * Finds patterns by the likeness of vectors and of words, weighed as the embedder says; a text in a language that the
 * embedder cannot read is found by its words alone. Patterns without vectors get them first: once, however many ask.
 */
export function createPatternSearch(parts: PatternSearchParts): PatternSearch {
  const { store, embedder, index = store.vectorIndex(embedder.model) } = parts;
  const words = wordIndex();
  // Where vectors say it all, the words of thousands of texts need not be held.
  const usesWords = embedder.weights.words > 0 || embedder.languages !== null;
  const patterns = new Map<string, ScamPattern>();
  let seen = -1;
  let updating: Promise<void> | null = null;

  const takeUp = async (): Promise<void> => {
    const state = await store.patternState();
    if (state.revision === seen) return;
    // Not the caller's signal: others wait for the same work.
    await embedPatterns({ store, embedder, signal: new AbortController().signal });
    const { revision } = await store.patternState();
    for (const pattern of await store.patternsSince(Math.max(seen, 0))) {
      patterns.set(pattern.id, pattern);
      if (usesWords) words.put(pattern);
    }
    seen = revision;
  };
  const upToDate = (): Promise<void> => (updating ??= takeUp().finally(() => (updating = null)));

  return {
    locality: embedder.locality,
    async search({ text, language, limit }, signal) {
      await upToDate();
      signal.throwIfAborted();
      const reads = readsLanguage(embedder, language);
      const weights = reads ? embedder.weights : { vector: 0, words: 1 };
      const [vector] = weights.vector > 0 && patterns.size > 0 ? await embedder.embed([text], signal) : [];
      const byVector = vector === undefined ? [] : await index.nearest(vector, CANDIDATES);
      const byWords = weights.words > 0 ? words.nearest(text, CANDIDATES) : [];
      const matches = fused([
        { hits: byVector, weight: weights.vector },
        { hits: byWords, weight: weights.words },
      ]);
      const known = matches.flatMap(({ patternId, ...match }): PatternMatch[] => {
        const pattern = patterns.get(patternId);
        return pattern === undefined ? [] : [{ pattern, ...match }];
      });
      return {
        matches: known.slice(0, limit),
        patterns: patterns.size,
        revision: seen,
        model: embedder.model,
      };
    },
  };
}

interface Hit {
  patternId: string;
  language: string;
  similarity: number;
}

// Each pattern by its best text in each way of looking: a message in Hindi may be like the English text in its sense
// and like the Hindi one in its words.
function fused(ways: { hits: Hit[]; weight: number }[]): Hit[] {
  const sums = new Map<string, Hit & { most: number }>();
  for (const { hits, weight } of ways) {
    const counted = new Set<string>();
    for (const { patternId, language, similarity } of hits) {
      if (counted.has(patternId)) continue;
      counted.add(patternId);
      const part = Math.min(1, Math.max(0, similarity)) * weight;
      const before = sums.get(patternId);
      const leads = before === undefined || part > before.most;
      sums.set(patternId, {
        patternId,
        language: leads ? language : before.language,
        similarity: Math.min(1, (before?.similarity ?? 0) + part),
        most: Math.max(part, before?.most ?? 0),
      });
    }
  }
  return [...sums.values()]
    .map(({ patternId, language, similarity }) => ({ patternId, language, similarity }))
    .sort((a, b) => b.similarity - a.similarity || (a.patternId < b.patternId ? -1 : 1));
}
