import type { InstalledProvider, RunSettings } from '@casefile/contracts';
import { isPriced } from '@casefile/llm';

/**
 * Returns why a budget cannot limit the calls of runs with these settings: the price of their model is not known.
 * null: it is known, or they ask no model.
 */
export function missingPrice(
  { provider, model }: Pick<RunSettings, 'provider' | 'model'>,
  providers: readonly InstalledProvider[],
): string | null {
  if (provider === 'none') return null;
  const installed = providers.find(({ name }) => name === provider);
  if (installed !== undefined && isPriced({ ...installed, model })) return null;
  return `the price of ${provider}/${model} is not known: give it in providers.${provider}.prices`;
}
