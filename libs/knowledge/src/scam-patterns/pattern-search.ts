import {
  readsLanguage,
  type Embedder,
  type LookedUpBy,
  type PatternMatch,
  type PatternSearch,
  type ScamPattern,
  type SimilarityLevels,
} from '@casefile/contracts';
import { embedPatterns } from './embed-patterns.js';
import {
  checkedPatterns,
  checkVectors,
  type PatternVector,
  type ScamPatternBase,
  type VectorIndex,
} from './scam-pattern-base.js';
import { vectorScan } from './vector-scan.js';
import { WORD_LEVELS, wordIndex, type WordIndex } from './word-index.js';

/**
 * Nearest texts by vectors that are considered: far more than matches, so that texts found by vectors and
 * words are included.
 */
const CANDIDATES = 200;
/** Levels of an embedder that does not define its own. */
const DEFAULT_LEVELS: SimilarityLevels = { highFrom: 0.85, mediumFrom: 0.7 };

/** Patterns as a search reads them, with the vectors that it computes. */
export type SearchedPatterns = Omit<ScamPatternBase, 'importPatterns' | 'dropVectors'>;

/**
 * Returns a list of patterns and their vectors, held in this process: the list never changes.
 * @throws InvalidInput that names every wrong field.
 */
export function listedPatterns(input: readonly ScamPattern[]): SearchedPatterns {
  const patterns = checkedPatterns([...input]).sort((a, b) => (a.id < b.id ? -1 : 1));
  const texts = patterns.flatMap(({ id: patternId, texts: byLanguage }) =>
    Object.entries(byLanguage).map(([language, text]) => ({ patternId, language, text })),
  );
  const keyOf = (...key: string[]) => JSON.stringify(key);
  const textKeys = new Set(texts.map((one) => keyOf(one.patternId, one.language, one.text)));
  const vectors = new Map<string, PatternVector & { model: string; revision: number }>();
  let revision = 1;
  const list: SearchedPatterns = {
    patternState: async () => ({ revision, patterns: patterns.length }),
    patternsSince: async (since) => (since < 1 ? patterns : []),
    vectorsSince: async (model, since) =>
      [...vectors.values()]
        .filter((one) => one.model === model && one.revision > since)
        .map(({ patternId, language, vector }) => ({ patternId, language, vector })),
    textsToEmbed: async (model, languages, limit) => {
      const missing = texts
        .filter(({ language }) => languages === null || languages.includes(language))
        .filter(({ patternId, language }) => !vectors.has(keyOf(model, patternId, language)));
      return { texts: missing.slice(0, limit), total: missing.length };
    },
    saveVectors: async (model, newVectors) => {
      checkVectors(newVectors);
      const fitting = newVectors.filter((one) => textKeys.has(keyOf(one.patternId, one.language, one.text)));
      if (fitting.length > 0) revision += 1;
      for (const one of fitting)
        vectors.set(keyOf(model, one.patternId, one.language), { ...one, model, revision });
      return fitting.length;
    },
    vectorIndex: (model) => vectorScan(list, model),
  };
  return list;
}

export interface PatternSearchParts {
  store: SearchedPatterns;
  embedder: Embedder;
  /** Default: the store's own. */
  index?: VectorIndex;
}

/**
 * Finds patterns by similarity of vectors and words, weighted as the embedder defines. A text in a language
 * that the embedder cannot read is found only by words. Missing vectors are computed first, once for all
 * concurrent searches; searches by words only do not wait for them.
 */
export function createPatternSearch(parts: PatternSearchParts): PatternSearch {
  const { store, embedder, index = store.vectorIndex(embedder.model) } = parts;
  const content = knownPatterns(store, embedder);
  return {
    locality: embedder.locality,
    async search({ text, language, limit, wordsAlone = false }, signal) {
      const reads = !wordsAlone && readsLanguage(embedder, language);
      const weights = reads ? embedder.weights : { vector: 0, words: 1 };
      await content.takeUp(weights.vector > 0);
      signal.throwIfAborted();
      const usesVectors = weights.vector > 0 && content.patterns.size > 0;
      const [vector] = usesVectors ? await embedder.embed([text], signal) : [];
      const byVector = vector === undefined ? [] : await index.nearest(vector, CANDIDATES);
      const byWords = weights.words > 0 ? content.words().nearest(text) : null;
      const matches = fusedByVector(byVector, byWords, weights).flatMap(
        ({ patternId, ...match }): PatternMatch[] => {
          const pattern = content.patterns.get(patternId);
          return pattern === undefined ? [] : [{ pattern, ...match }];
        },
      );
      return {
        matches: matches.slice(0, limit),
        patterns: content.patterns.size,
        revision: content.revision(),
        model: embedder.model,
        lookedUpBy: lookedUpBy(weights),
        levels: reads ? (embedder.levels ?? DEFAULT_LEVELS) : WORD_LEVELS,
      };
    },
  };
}

/** The content of the knowledge base in this process, updated incrementally. */
function knownPatterns(store: SearchedPatterns, embedder: Embedder) {
  const patterns = new Map<string, ScamPattern>();
  // If only vectors count, the words of thousands of texts need not be in memory.
  let words: WordIndex | null = null;
  let seenRevision = -1;
  let embedded = -1;
  const underWay = new Map<boolean, Promise<void>>();
  let reading: Promise<unknown> = Promise.resolve();

  const update = async (withVectors: boolean): Promise<void> => {
    const state = await store.patternState();
    if (state.revision === seenRevision && (!withVectors || embedded === seenRevision)) return;
    // A separate signal is used, because other searches wait for the same work.
    if (withVectors) await embedPatterns({ store, embedder, signal: new AbortController().signal });
    const revision = await readOn();
    if (withVectors) embedded = revision;
  };
  const readChanges = async (): Promise<number> => {
    const { revision } = await store.patternState();
    for (const pattern of await store.patternsSince(Math.max(seenRevision, 0))) {
      patterns.set(pattern.id, pattern);
      words?.put(pattern);
    }
    seenRevision = Math.max(seenRevision, revision);
    return revision;
  };
  // One read after the other, so that no older pattern replaces a newer one.
  const readOn = (): Promise<number> => {
    const next = reading.then(readChanges, readChanges);
    reading = next;
    return next;
  };
  return {
    patterns,
    revision: () => seenRevision,
    words(): WordIndex {
      if (words === null) {
        words = wordIndex();
        for (const pattern of patterns.values()) words.put(pattern);
      }
      return words;
    },
    takeUp(withVectors: boolean): Promise<void> {
      const before = underWay.get(withVectors);
      if (before !== undefined) return before;
      const now = update(withVectors).finally(() => underWay.delete(withVectors));
      underWay.set(withVectors, now);
      return now;
    },
  };
}

function lookedUpBy({ vector, words }: Embedder['weights']): LookedUpBy {
  if (vector === 0) return 'words';
  return words === 0 ? 'vectors' : 'vectors and words';
}

interface Hit {
  patternId: string;
  language: string;
  similarity: number;
}
type FusedMatch = Omit<PatternMatch, 'pattern'> & { patternId: string };

// Combines, for each pattern, its best text by vector and its best text by words: a message may resemble the
// English text in meaning and the Hindi text in words. The text with the higher weight is shown.
function fusedByVector(byVector: Hit[], byWords: Hit[] | null, weights: Embedder['weights']): FusedMatch[] {
  const vectors = bestHits(byVector);
  const words = bestHits(byWords ?? []);
  return [...new Set([...vectors.keys(), ...words.keys()])]
    .map((patternId): FusedMatch => {
      const [byV, byW] = [vectors.get(patternId), words.get(patternId)];
      const ofVectors = weights.vector * (byV?.similarity ?? 0);
      const ofWords = weights.words * (byW?.similarity ?? 0);
      return {
        patternId,
        language: (ofVectors >= ofWords ? byV : byW)?.language ?? byV?.language ?? byW?.language ?? 'und',
        similarity: Math.min(1, ofVectors + ofWords),
        cosine: byV?.similarity ?? null,
        words: byWords === null ? null : (byW?.similarity ?? 0),
      };
    })
    .sort((a, b) => b.similarity - a.similarity || (a.patternId < b.patternId ? -1 : 1));
}

function bestHits(hits: Hit[]): Map<string, Hit> {
  const best = new Map<string, Hit>();
  for (const hit of hits) {
    const similarity = Math.min(1, Math.max(0, hit.similarity));
    if (similarity > (best.get(hit.patternId)?.similarity ?? -1))
      best.set(hit.patternId, { ...hit, similarity });
  }
  return best;
}
