import { CasefileError, type Clock, type Embedder } from '@casefile/contracts';
import { embeddingsServer } from './embeddings-server.js';
import { offlineEncoder } from './offline-encoder.js';

/** What a configuration says of embeddings: a server and its model, or neither for the offline encoder. */
export interface EmbeddingsSettings {
  url?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
}

/** @throws CasefileError `bad_configuration` when a server has no model, or a model no server. */
export function createEmbedder({ url, model, apiKey }: EmbeddingsSettings, clock: Clock): Embedder {
  if (url !== undefined && model !== undefined) return embeddingsServer({ url, model, apiKey, clock });
  if (url === undefined && model === undefined) return offlineEncoder();
  const missing = url === undefined ? 'EMBEDDINGS_URL' : 'EMBEDDINGS_MODEL';
  throw new CasefileError(
    'bad_configuration',
    `${missing} is not set: a server of embeddings needs a URL and a model`,
  );
}
