import { CasefileError, type Embedder } from '@casefile/contracts';
import type { ScamPatternBase } from './scam-pattern-base.js';

/** Texts a call: each batch is kept by itself, so that what was done stays done. */
const BATCH = 16;

export interface EmbedPatterns {
  store: Pick<ScamPatternBase, 'textsToEmbed' | 'saveVectors'>;
  embedder: Embedder;
  signal: AbortSignal;
  /** Texts that have their vectors, of all that had none. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Makes the vectors that the embedder's model lacks: all of them when the model is new, the rest when it was broken off.
 * @returns how many were made. @throws CasefileError of the embedder; batches before it are kept.
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
    const made = missing.texts.map((text, i) => ({ ...text, vector: vectors[i] ?? [] }));
    // Texts that were changed meanwhile are asked for again, with their new text.
    done += await store.saveVectors(embedder.model, made);
  }
}
