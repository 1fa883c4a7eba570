import type { Json, ModelMessage } from '@casefile/contracts';
import { partOf } from './json-parts.js';
import type { ProviderEntry } from './provider-entry.js';

/** Wraps what goes back with the next turn, with the name of the only provider that can read it. */
export function providerState(entry: ProviderEntry, items: Json): Json {
  return { provider: entry.name, protocol: entry.protocol, items };
}

/**
 * What this provider gave with an earlier answer, as it gave it. undefined when there was nothing or another provider
 * gave it: signatures of one are errors to the other.
 */
export function itemsOf(entry: ProviderEntry, message: ModelMessage): Json | undefined {
  if (message.role !== 'assistant' || message.providerState === undefined) return undefined;
  const state = message.providerState;
  const ours = partOf(state, 'provider') === entry.name && partOf(state, 'protocol') === entry.protocol;
  return ours ? partOf(state, 'items') : undefined;
}
