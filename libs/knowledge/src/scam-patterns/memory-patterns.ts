import { stored, type ScamPattern } from '@casefile/contracts';
import {
  checkedPatterns,
  checkVectors,
  digestOf,
  type PatternImport,
  type PatternVector,
  type ScamPatternBase,
} from './scam-pattern-base.js';
import { vectorScan } from './vector-scan.js';

type VectorEntry = Omit<PatternVector, 'text'> & { model: string; revision: number };

/** The knowledge base in this process's memory: for tests. The same rules as the one in Postgres, under one suite. */
export function memoryPatterns(): ScamPatternBase {
  const patterns = new Map<string, { pattern: ScamPattern; revision: number }>();
  const vectors = new Map<string, VectorEntry>();
  let revision = 0;

  const importPatterns = async (given: ScamPattern[]): Promise<PatternImport> => {
    const checked = stored(checkedPatterns(given));
    const before = (pattern: ScamPattern) => patterns.get(pattern.id)?.pattern;
    const changed = checked.filter((pattern) => {
      const known = before(pattern);
      return known === undefined || digestOf(known) !== digestOf(pattern);
    });
    const inserted = changed.filter((pattern) => before(pattern) === undefined).length;
    if (changed.length > 0) revision += 1;
    for (const pattern of changed) {
      patterns.set(pattern.id, { pattern, revision });
      for (const [key, entry] of vectors) if (entry.patternId === pattern.id) vectors.delete(key);
    }
    const counts = {
      inserted,
      replaced: changed.length - inserted,
      unchanged: checked.length - changed.length,
    };
    return { ...counts, revision };
  };

  const sorted = () => [...patterns.values()].sort((a, b) => (a.pattern.id < b.pattern.id ? -1 : 1));
  const keyOf = (model: string, patternId: string, language: string) =>
    JSON.stringify([model, patternId, language]);

  const store: ScamPatternBase = {
    importPatterns,
    patternState: async () => ({ revision, patterns: patterns.size }),
    patternsSince: async (after) =>
      sorted().flatMap((entry) => (entry.revision > after ? [entry.pattern] : [])),
    vectorsSince: async (model, after) =>
      [...vectors.values()]
        .filter((entry) => entry.model === model && entry.revision > after)
        .map(({ patternId, language, vector }) => ({ patternId, language, vector })),
    textsToEmbed: async (model, languages, limit) => {
      const missing = sorted().flatMap(({ pattern }) =>
        Object.entries(pattern.texts)
          .filter(([language]) => languages === null || languages.includes(language))
          .filter(([language]) => !vectors.has(keyOf(model, pattern.id, language)))
          .map(([language, text]) => ({ patternId: pattern.id, language, text })),
      );
      return { texts: missing.slice(0, limit), total: missing.length };
    },
    saveVectors: async (model, given) => {
      checkVectors(given);
      const fitting = given.filter(
        ({ patternId, language, text }) => patterns.get(patternId)?.pattern.texts[language] === text,
      );
      if (fitting.length > 0) revision += 1;
      for (const { patternId, language, vector } of fitting) {
        vectors.set(keyOf(model, patternId, language), { patternId, language, vector, model, revision });
      }
      return fitting.length;
    },
    dropVectors: async (model) => {
      const own = [...vectors].filter(([, entry]) => entry.model === model);
      if (own.length > 0) revision += 1;
      return own.filter(([key]) => vectors.delete(key)).length;
    },
    vectorIndex: (model) => vectorScan(store, model),
  };
  return store;
}
