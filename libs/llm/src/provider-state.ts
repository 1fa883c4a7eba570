import type { Json, ModelMessage } from '@casefile/contracts';
import { partOf } from './json-parts.js';
import type { ProviderEntry } from './provider-entry.js';

/** Wraps items to send back with the next turn, with the name of the only provider that can read them. */
export function providerState(entry: ProviderEntry, items: Json): Json {
  return { provider: entry.name, protocol: entry.protocol, items };
}

/**
 * Returns the items that this provider gave with an earlier answer, unchanged. Returns undefined if there
 * were none or if another provider gave them: a provider rejects the signatures of another.
 */
export function stateItems(entry: ProviderEntry, message: ModelMessage): Json | undefined {
  if (message.role !== 'assistant' || message.providerState === undefined) return undefined;
  const state = message.providerState;
  const ours = partOf(state, 'provider') === entry.name && partOf(state, 'protocol') === entry.protocol;
  return ours ? partOf(state, 'items') : undefined;
}
