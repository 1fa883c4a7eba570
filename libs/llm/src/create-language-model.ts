import { silentLogger } from '@casefile/contracts';
import type { Clock, LanguageModel, Logger } from '@casefile/contracts';
import type { RefusalMemory } from './optional-params.js';
import type { ProviderEntry } from './provider-entry.js';
import { PROVIDERS } from './providers/index.js';
import { sendRequest } from './send-request.js';

export interface LanguageModelOptions {
  apiKey: string | null;
  clock: Clock;
  /** Replaces Node's HTTP client. */
  fetch?: typeof fetch;
  log?: Logger;
  /** Memory of refused parameters, shared by the models of a process. Default: each model has its own. */
  refusals?: RefusalMemory;
}

/**
 * Creates the model of one entry of the provider table, as returned by `resolveProvider`. Opens no
 * connection.
 */
export function createLanguageModel(entry: ProviderEntry, options: LanguageModelOptions): LanguageModel {
  const { apiKey, clock, fetch: send = sendRequest, log = silentLogger, refusals } = options;
  return PROVIDERS[entry.protocol](entry, {
    apiKey,
    clock,
    log,
    send,
    ...(refusals && { refusals }),
  });
}
