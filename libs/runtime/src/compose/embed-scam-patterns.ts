import { CasefileError } from '@casefile/contracts';
import { embedPatterns } from '@casefile/store';
import type { Adapters } from './platform.js';

/**
 * Makes the vectors that scam patterns lack for the model of the configuration, and keeps each batch: broken off, it
 * goes on where it was. @returns how many were made. @throws CasefileError of the embedder.
 */
export function embedScamPatterns(
  { store, embedder }: Pick<Adapters, 'store' | 'embedder'>,
  onProgress?: (done: number, total: number) => void,
): Promise<number> {
  if (embedder === undefined) throw new CasefileError('no_embedder', 'There is no embedder in this process');
  const { signal } = new AbortController();
  return embedPatterns({ store, embedder, signal, ...(onProgress === undefined ? {} : { onProgress }) });
}
