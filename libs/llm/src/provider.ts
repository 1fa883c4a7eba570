import type { Clock, LanguageModel, Logger } from '@casefile/contracts';
import type { RefusalMemory } from './optional-params.js';
import type { ProviderEntry } from './provider-entry.js';
import type { SendRequest } from './send-request.js';

/** What a protocol is handed besides its entry in the provider table. */
export interface ModelParts {
  /** null: the server asks for none. */
  apiKey: string | null;
  send: SendRequest;
  clock: Clock;
  log: Logger;
  /** What servers are known to refuse. Default: a memory of its own. */
  refusals?: RefusalMemory;
}

/** Makes a model that speaks one protocol. The contract of the files in `providers/`. */
export type MakeModel = (entry: ProviderEntry, parts: ModelParts) => LanguageModel;
