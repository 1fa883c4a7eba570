import type { Clock, LanguageModel, Logger } from '@casefile/contracts';
import type { RefusalMemory } from './optional-params.js';
import type { ProviderEntry } from './provider-entry.js';
import type { SendRequest } from './send-request.js';

/** Dependencies of a protocol, in addition to its entry in the provider table. */
export interface ModelParts {
  /** null: the server needs no key. */
  apiKey: string | null;
  send: SendRequest;
  clock: Clock;
  log: Logger;
  /** Parameters that servers are known to refuse. Default: a separate memory. */
  refusals?: RefusalMemory;
}

/** Creates a model that speaks one protocol. The contract of the files in `providers/`. */
export type MakeModel = (entry: ProviderEntry, parts: ModelParts) => LanguageModel;
