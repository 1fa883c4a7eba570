import type { ScamPattern } from '@casefile/contracts';
import MiniSearch from 'minisearch';

interface Entry {
  key: number;
  patternId: string;
  language: string;
  text: string;
}

export interface WordHit {
  patternId: string;
  language: string;
  /** 0..1: how well it fits beside the best one, times the part of the asked words that stand in it. */
  similarity: number;
}

/** Full-text search over the texts of patterns. */
export interface WordIndex {
  put(pattern: ScamPattern): void;
  nearest(text: string, limit: number): WordHit[];
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** A message of fewer words is like nothing for having them in common. */
const FEW_WORDS = 8;
/** Words that are looked up: the rarest of a message. Common ones stand in thousands of texts and tell nothing. */
const LOOKED_UP = 24;

/** BM25 (MiniSearch) by the rarest words of a message, in any script. */
export function wordIndex(): WordIndex {
  const index = new MiniSearch<Entry>({ idField: 'key', fields: ['text'], tokenize: wordsOf });
  const entries = new Map<number, Entry & { words: Set<string> }>();
  const byPattern = new Map<string, number[]>();
  /** In how many texts a word stands. */
  const spread = new Map<string, number>();
  let nextKey = 1;

  const count = (words: Iterable<string>, by: 1 | -1) => {
    for (const word of words) spread.set(word, (spread.get(word) ?? 0) + by);
  };
  const remove = (key: number) => {
    index.discard(key);
    count(entries.get(key)?.words ?? [], -1);
    entries.delete(key);
  };
  const add = (patternId: string, [language, text]: [string, string]): number => {
    const entry = { key: (nextKey += 1), patternId, language, text };
    const words = new Set(wordsOf(text));
    entries.set(entry.key, { ...entry, words });
    index.add(entry);
    count(words, 1);
    return entry.key;
  };

  return {
    put({ id, texts }) {
      byPattern.get(id)?.forEach(remove);
      byPattern.set(
        id,
        Object.entries(texts).map((text) => add(id, text)),
      );
    },
    nearest(text, limit) {
      const words = [...new Set(wordsOf(text))];
      const known = words.filter((word) => (spread.get(word) ?? 0) > 0);
      const rarest = known
        .toSorted((a, b) => (spread.get(a) ?? 0) - (spread.get(b) ?? 0))
        .slice(0, LOOKED_UP);
      const hits = index.search(rarest.join(' ')).slice(0, limit);
      const top = hits[0]?.score ?? 1;
      return hits.flatMap(({ id, score }) => {
        const entry = entries.get(id as number);
        if (entry === undefined) return [];
        const shared = words.filter((word) => entry.words.has(word)).length;
        const similarity = (score / top) * (shared / Math.max(words.length, FEW_WORDS));
        return [{ patternId: entry.patternId, language: entry.language, similarity }];
      });
    },
  };
}

function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}
