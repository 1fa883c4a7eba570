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

/** Price of input that Anthropic keeps for five minutes, relative to other input: its page on prompt caching. */
const WRITTEN = 1.25;

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
 * Returns the cost of a call at list price in US dollars, or null if the price is not known.
 * @param served model that answered, as reported by the provider; a dated version has the price of its model.
 * @param usage `outputTokens` include the reasoning, `inputTokens` those read from the provider's cache and written to it.
 */
export function callCost(entry: ProviderEntry, served: string, usage: ModelUsage): number | null {
  const price = findPrice(entry, served);
  if (price === null) return null;
  // tokenlens adds the price of cached tokens to that of all input, so the two are passed separately.
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const written = Math.min(usage.writtenTokens ?? 0, usage.inputTokens - cached);
  const fresh = usage.inputTokens - cached - written;
  const tokens = {
    input: fresh,
    output: usage.outputTokens,
    cacheReads: cached,
    total: fresh + usage.outputTokens,
  };
  const cost = { input: price.input, output: price.output, cache_read: price.cached ?? price.input };
  const model = { id: 'priced', name: 'priced', cost };
  const providers = { id: 'priced', models: { priced: model } };
  const total = getTokenCosts({ modelId: 'priced', usage: tokens, providers }).totalUSD;
  return total === undefined ? null : total + (written * (price.written ?? price.input)) / 1_000_000;
}

/**
 * Returns the highest possible cost of a call in US dollars, or null if the price is not known. Assumes that
 * nothing is read from the provider's cache and that the output reaches its limit. Every protocol counts
 * reasoning within that limit.
 * @param inputTokens as estimated by `estimateInputTokens`.
 * @param maxOutputTokens the limit sent with the call.
 */
export function worstCaseUsd(
  entry: ProviderEntry,
  inputTokens: number,
  maxOutputTokens: number,
): number | null {
  const price = findPrice(entry, entry.model);
  if (price === null) return null;
  const perInput = Math.max(price.input, price.cached ?? 0, price.written ?? 0);
  return (inputTokens * perInput + maxOutputTokens * price.output) / 1_000_000;
}

/** Returns whether the price of the entry's model is known. */
export function isPriced(entry: PricedEntry): boolean {
  return findPrice(entry, entry.model) !== null;
}

/** Fields used to look up prices. `priceList` may name a list of a newer Casefile version. */
type PricedEntry = Pick<ProviderEntry, 'model' | 'prices'> & { priceList: string | null };

function findPrice(entry: PricedEntry, served: string): Price | null {
  for (const model of priceNames(entry, served)) {
    const own = Object.hasOwn(entry.prices, model) ? entry.prices[model] : undefined;
    const price = own ?? listedList(entry.priceList, model);
    if (price !== null) return price;
  }
  return entry.prices['*'] ?? null;
}

/**
 * `gpt-x-2026-03-17` has the price of `gpt-x`; a model served as `x-latest` has the price of `x-latest`. If a
 * router served another model, the price is unknown.
 */
function priceNames(entry: Pick<ProviderEntry, 'model'>, served: string): string[] {
  const undated = served.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  const names = [served, undated];
  const meant = served.startsWith(entry.model) || entry.model.endsWith('-latest');
  return meant ? [...names, entry.model] : names;
}

function listedList(list: string | null, model: string): Price | null {
  if (list === null || !isPriceList(list) || !Object.hasOwn(CATALOGUES[list].models, model)) return null;
  const cost = CATALOGUES[list].models[model]?.cost;
  if (cost?.input === undefined || cost.output === undefined) return null;
  return {
    input: cost.input,
    output: cost.output,
    ...(cost.cache_read !== undefined && { cached: cost.cache_read }),
    ...(list === 'anthropic' && { written: cost.input * WRITTEN }),
  };
}

function isPriceList(name: string): name is PriceList {
  return Object.hasOwn(CATALOGUES, name);
}
