import type { ScamPattern } from '@casefile/contracts';
import MiniSearch from 'minisearch';

interface Entry {
  key: string;
  patternId: string;
  language: string;
  text: string;
}

export interface WordHit {
  patternId: string;
  language: string;
  /** 0..1: how much of what is particular in the asked text stands in this one. */
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
/** Words of a message that are looked up: a long one would cost more than it tells. */
const MAX_WORDS = 200;

/** BM25 (MiniSearch) over words of any script, each score made a share of what the asked text would score at best. */
export function wordIndex(): WordIndex {
  const index = new MiniSearch<Entry>({
    idField: 'key',
    fields: ['text'],
    storeFields: ['patternId', 'language'],
    tokenize: wordsOf,
  });
  const keys = new Map<string, Entry[]>();
  return {
    put(pattern) {
      for (const entry of keys.get(pattern.id) ?? []) index.discard(entry.key);
      const entries = Object.entries(pattern.texts).map(([language, text]) => ({
        ...{
          key: `${pattern.id}/${pattern.version}/${language}/${index.documentCount}/${keys.size}/${text.length}`,
        },
        ...{ patternId: pattern.id, language, text },
      }));
      index.addAll(entries);
      keys.set(pattern.id, entries);
    },
    nearest(text, limit) {
      const words = [...new Set(wordsOf(text))].slice(0, MAX_WORDS);
      if (words.length === 0) return [];
      const hits = index.search(words.join(' ')).slice(0, limit);
      const top = hits[0]?.score ?? 1;
      return hits.map((hit) => ({
        patternId: String(hit['patternId']),
        language: String(hit['language']),
        similarity:
          (hit.score / top) * Math.min(1, hit.queryTerms.length / Math.max(words.length, FEW_WORDS)),
      }));
    },
  };
}

function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}
