import type { SimilarityLevels } from '../knowledge/pattern-search.js';

/**
 * Turns texts into vectors whose direction represents the topic of a text.
 * @throws CasefileError with a reason code of the LanguageModel port (`network`, `timeout`, `rate_limited`,
 * ...); `bad_answer` if the result is not one vector per text with the same dimension; `no_embedder` if the
 * embedder cannot be loaded.
 */
export interface Embedder {
  /** Stored with every vector, because vectors of two models cannot be compared. */
  readonly model: string;
  /** `remote`: the embedder calls a server. Tools that need it then run as separate jobs. */
  readonly locality: 'local' | 'remote';
  /** Supported languages (BCP 47). null: all. Texts in other languages are found by their words only. */
  readonly languages: readonly string[] | null;
  /** Weights of the vector similarity and of the word similarity. Their sum is 1. */
  readonly weights: { readonly vector: number; readonly words: number };
  /**
   * Measured thresholds for HIGH and MEDIUM similarity with this embedder and these weights. Default: 0.85
   * and 0.70.
   */
  readonly levels?: SimilarityLevels;
  /** Returns one vector per text, in the same order and with the same dimension. */
  embed(texts: string[], signal: AbortSignal): Promise<number[][]>;
}

/** Returns whether this embedder supports the language. */
export function readsLanguage({ languages }: Pick<Embedder, 'languages'>, language: string): boolean {
  return languages === null || languages.includes(language);
}
