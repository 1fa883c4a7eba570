import type { ModelUsage } from '@casefile/contracts';
import { getTokenCosts } from 'tokenlens/helpers';
import { anthropicModels } from 'tokenlens/providers/anthropic';
import { deepseekModels } from 'tokenlens/providers/deepseek';
import { googleModels } from 'tokenlens/providers/google';
import { groqModels } from 'tokenlens/providers/groq';
import { openaiModels } from 'tokenlens/providers/openai';
import { openrouterModels } from 'tokenlens/providers/openrouter';
import { xaiModels } from 'tokenlens/providers/xai';
import type { Price, PriceList, ProviderEntry } from './provider-entry.js';

/** The part of a bundled list that prices are read from. */
interface Catalogue {
  models: Record<string, { cost?: { input?: number; output?: number; cache_read?: number } } | undefined>;
}

const CATALOGUES: Record<PriceList, Catalogue> = {
  anthropic: anthropicModels,
  deepseek: deepseekModels,
  google: googleModels,
  groq: groqModels,
  openai: openaiModels,
  openrouter: openrouterModels,
  xai: xaiModels,
};

/**
 * What a call cost at list price, in US dollars; null when the price is not known.
 * @param served the model that the provider says has answered; a dated version is priced as its model.
 * @param usage `outputTokens` include the reasoning, `inputTokens` what came from the provider's cache.
 */
export function costOf(entry: ProviderEntry, served: string, usage: ModelUsage): number | null {
  const price = priceOf(entry, served);
  if (price === null) return null;
  // tokenlens adds the price of cached tokens to that of all input: they are handed over apart.
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const fresh = usage.inputTokens - cached;
  const tokens = {
    input: fresh,
    output: usage.outputTokens,
    cacheReads: cached,
    total: fresh + usage.outputTokens,
  };
  const cost = { input: price.input, output: price.output, cache_read: price.cached ?? price.input };
  const model = { id: 'priced', name: 'priced', cost };
  const providers = { id: 'priced', models: { priced: model } };
  return getTokenCosts({ modelId: 'priced', usage: tokens, providers }).totalUSD ?? null;
}

/**
 * What a call may cost at the most, in US dollars, before it is made; null when the price is not known.
 * Nothing is taken to come from the provider's cache, and the output to run to its limit: every protocol counts
 * the reasoning within that limit.
 * @param inputTokens as `estimateInputTokens` has them.
 * @param maxOutputTokens the limit that is sent with the call.
 */
export function worstCaseUsd(
  entry: ProviderEntry,
  inputTokens: number,
  maxOutputTokens: number,
): number | null {
  const price = priceOf(entry, entry.model);
  if (price === null) return null;
  const perInput = Math.max(price.input, price.cached ?? 0);
  return (inputTokens * perInput + maxOutputTokens * price.output) / 1_000_000;
}

/** Returns whether the price of the entry's model is known. */
export function isPriced(entry: Priced): boolean {
  return priceOf(entry, entry.model) !== null;
}

/** What prices are looked up by. `priceList` may come from a newer Casefile that has other lists. */
type Priced = Pick<ProviderEntry, 'model' | 'prices'> & { priceList: string | null };

function priceOf(entry: Priced, served: string): Price | null {
  for (const model of namesOf(entry, served)) {
    const own = Object.hasOwn(entry.prices, model) ? entry.prices[model] : undefined;
    const price = own ?? listed(entry.priceList, model);
    if (price !== null) return price;
  }
  return entry.prices['*'] ?? null;
}

/**
 * `gpt-x-2026-03-17` is sold at the price of `gpt-x`, and what `x-latest` stands for at that of `x-latest`; a router that
 * served something else gets no guess.
 */
function namesOf(entry: Pick<ProviderEntry, 'model'>, served: string): string[] {
  const undated = served.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  const names = [served, undated];
  const meant = served.startsWith(entry.model) || entry.model.endsWith('-latest');
  return meant ? [...names, entry.model] : names;
}

function listed(list: string | null, model: string): Price | null {
  if (list === null || !isPriceList(list) || !Object.hasOwn(CATALOGUES[list].models, model)) return null;
  const cost = CATALOGUES[list].models[model]?.cost;
  if (cost?.input === undefined || cost.output === undefined) return null;
  return {
    input: cost.input,
    output: cost.output,
    ...(cost.cache_read !== undefined && { cached: cost.cache_read }),
  };
}

function isPriceList(name: string): name is PriceList {
  return Object.hasOwn(CATALOGUES, name);
}
