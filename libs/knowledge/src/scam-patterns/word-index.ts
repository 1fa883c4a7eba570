import type { ScamPattern, SimilarityLevels } from '@casefile/contracts';
import { foldSpelling } from './fold-spelling.js';

export interface WordHit {
  patternId: string;
  language: string;
  /** 0..1: cosine of the two texts' weighted words and parts of words. */
  similarity: number;
}

/** Full-text search over the texts of patterns. */
export interface WordIndex {
  put(pattern: ScamPattern): void;
  /** The most similar text of each pattern, the best first. Patterns with nothing in common are left out. */
  nearest(text: string): WordHit[];
}

/** Similarities from which a match is HIGH or MEDIUM, measured as in docs/decisions/0016. */
export const WORD_LEVELS: SimilarityLevels = { highFrom: 0.34, mediumFrom: 0.27 };

const WORD = /[\p{L}\p{M}]+/gu;
/** Matches domains and URLs, which show whom a message imitates and not its purpose. */
const ADDRESS = /https?:\/\/\S+|www\.\S+|(?<!\S)\S+@\S+/g;
/** Lengths of parts of words that count in addition to the whole words. */
const PARTS = [3, 4] as const;
/** Number of words below which a message is not similar only because it shares them. */
const FEW_WORDS = 8;

/** Most postings that a search visits, the rarest features first. */
const MOST_PLACES = 400_000;
/** Most texts that a search returns. */
const MOST_TEXTS = 2_000;

interface WordEntry {
  patternId: string;
  language: string;
  /** By feature: 1 + ln of its frequency in the text. */
  features: Map<string, number>;
  /** Length of the vector, with each feature weighted by its rarity. */
  norm: number;
}

/**
 * Cosine of tf-idf vectors (Salton and Buckley 1988) over words folded by sound, and over their parts of 3
 * and 4 letters. So a word is found by its stem, in another spelling, and in the other script of Hindi. A
 * text is compared with the texts of all languages.
 */
export function wordIndex(): WordIndex {
  const byPattern = new Map<string, WordEntry[]>();
  let built: Built | null = null;
  return {
    put({ id, texts }) {
      const entries = Object.entries(texts).map(([language, text]) => ({
        patternId: id,
        language,
        features: wordFeatures(foldedWords(text)),
        norm: 0,
      }));
      byPattern.set(id, entries);
      built = null;
    },
    nearest(text) {
      built ??= build([...byPattern.values()].flat());
      const words = foldedWords(text);
      const part = Math.min(1, new Set(words).size / FEW_WORDS);
      const best = new Map<string, WordHit>();
      for (const [entry, cosine] of alike(built, wordFeatures(words))) {
        const { patternId, language } = entry;
        const similarity = Math.min(1, cosine * part);
        if (similarity > (best.get(patternId)?.similarity ?? 0))
          best.set(patternId, { patternId, language, similarity });
      }
      return [...best.values()].sort(
        (a, b) => b.similarity - a.similarity || (a.patternId < b.patternId ? -1 : 1),
      );
    },
  };
}

interface Built {
  entries: WordEntry[];
  /** By feature: its rarity, and alternately the indexes of the entries that have it and their weights. */
  postings: Map<string, { rarity: number; places: number[] }>;
}

function build(entries: WordEntry[]): Built {
  const postings: Built['postings'] = new Map();
  entries.forEach(({ features }, place) => {
    for (const [feature, weight] of features) {
      const posting = postings.get(feature) ?? { rarity: 0, places: [] };
      posting.places.push(place, weight);
      postings.set(feature, posting);
    }
  });
  for (const posting of postings.values())
    posting.rarity = wordRarity(posting.places.length / 2, entries.length);
  const squares = new Float64Array(entries.length);
  for (const { rarity, places } of postings.values())
    for (let i = 0; i < places.length; i += 2)
      squares[places[i] as number]! += ((places[i + 1] as number) * rarity) ** 2;
  entries.forEach((entry, place) => (entry.norm = Math.sqrt(squares[place] ?? 0)));
  return { entries, postings };
}

function alike({ entries, postings }: Built, features: Map<string, number>): [WordEntry, number][] {
  const sums = new Float64Array(entries.length);
  const unknown = { rarity: wordRarity(0, entries.length), places: [] };
  const rarestFirst = [...features]
    .map(([feature, weight]) => ({ weight, ...(postings.get(feature) ?? unknown) }))
    .sort((a, b) => b.rarity - a.rarity);
  let square = 0;
  let visited = 0;
  for (const { weight, rarity, places } of rarestFirst) {
    const own = weight * rarity;
    square += own ** 2;
    if ((visited += places.length) > MOST_PLACES) continue;
    for (let i = 0; i < places.length; i += 2)
      sums[places[i] as number]! += own * (places[i + 1] as number) * rarity;
  }
  const norm = Math.sqrt(square);
  const cosines = sums.map((sum, place) => (sum > 0 ? sum / ((entries[place] as WordEntry).norm * norm) : 0));
  // Only the most similar of thousands of texts are compared further.
  const least = cosines.toSorted()[entries.length - MOST_TEXTS] ?? 0;
  return entries.flatMap((entry, place): [WordEntry, number][] => {
    const cosine = cosines[place] ?? 0;
    return cosine > 0 && cosine >= least ? [[entry, cosine]] : [];
  });
}

function wordRarity(spread: number, texts: number): number {
  return Math.log((texts + 1) / (spread + 0.5));
}

function foldedWords(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replace(ADDRESS, ' ');
  return (plain.match(WORD) ?? []).map(foldSpelling);
}

// Marks distinguish whole words from parts, and the beginning and end of a word from its middle.
function wordFeatures(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (feature: string) => counts.set(feature, (counts.get(feature) ?? 0) + 1);
  for (const word of words) {
    count(`=${word}`);
    const marked = `_${word}_`;
    for (const length of PARTS)
      for (let from = 0; from + length <= marked.length; from += 1) count(marked.slice(from, from + length));
  }
  return new Map([...counts].map(([feature, times]) => [feature, 1 + Math.log(times)]));
}
