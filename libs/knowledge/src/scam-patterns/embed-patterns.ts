import { CasefileError, type Embedder } from '@casefile/contracts';
import type { ScamPatternBase } from './scam-pattern-base.js';

/** Texts per call. Each batch is saved separately, so that completed work is kept. */
const BATCH = 16;

export interface EmbedPatterns {
  store: Pick<ScamPatternBase, 'textsToEmbed' | 'saveVectors'>;
  embedder: Embedder;
  signal: AbortSignal;
  /** Reports the number of completed texts, and the total. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Computes the missing vectors for the embedder's model: all for a new model, the rest after an interruption.
 * @returns the number of computed vectors. @throws CasefileError of the embedder; earlier batches are kept.
 */
export async function embedPatterns({ store, embedder, signal, onProgress }: EmbedPatterns): Promise<number> {
  let done = 0;
  let total: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const missing = await store.textsToEmbed(embedder.model, embedder.languages, BATCH);
    total ??= missing.total;
    onProgress?.(done, total);
    if (missing.texts.length === 0) return done;
    const vectors = await embedder.embed(
      missing.texts.map(({ text }) => text),
      signal,
    );
    if (vectors.length !== missing.texts.length)
      throw new CasefileError(
        'bad_answer',
        `${missing.texts.length} texts came back as ${vectors.length} vectors`,
      );
    const embeddings = missing.texts.map((text, i) => ({ ...text, vector: vectors[i] ?? [] }));
    // Texts that changed meanwhile are returned again with their new text, so the loop continues until none
    // is left.
    done += await store.saveVectors(embedder.model, embeddings);
  }
}
