import type { SimilarityLevels } from '../knowledge/pattern-search.js';

/**
 * Turns texts into vectors whose direction tells what a text is about.
 *
 * @throws CasefileError with a reason code of the LanguageModel port (`network`, `timeout`, `rate_limited`, ...),
 * `bad_answer` when what came is not one vector of one dimension for each text, `no_embedder` when it cannot be loaded.
 */
export interface Embedder {
  /** Kept beside every vector it made: vectors of two models do not compare. */
  readonly model: string;
  /** `remote`: it asks a server. Tools that need it are run as jobs of their own then. */
  readonly locality: 'local' | 'remote';
  /** Languages it reads (BCP 47); null: all of them. What it cannot read is found by its words alone. */
  readonly languages: readonly string[] | null;
  /** What a similarity is made of, together 1: the likeness of vectors and that of words. */
  readonly weights: { readonly vector: number; readonly words: number };
  /** Where similarities by this embedder and these weights are HIGH and MEDIUM, as measured; absent: 0.85 and 0.70. S3-14. */
  readonly levels?: SimilarityLevels;
  /** One vector for each text, in their order, all of one dimension. */
  embed(texts: string[], signal: AbortSignal): Promise<number[][]>;
}

/** Can this embedder read a text of this language? */
export function readsLanguage({ languages }: Pick<Embedder, 'languages'>, language: string): boolean {
  return languages === null || languages.includes(language);
}
