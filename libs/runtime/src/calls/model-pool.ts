import {
  CasefileError,
  type Clock,
  type LanguageModel,
  type Logger,
  type ModelRequest,
  type RunSettings,
  type Telemetry,
} from '@casefile/contracts';
import {
  createLanguageModel,
  createRefusalMemory,
  estimateInputTokens,
  isPriced,
  outputLimitOf,
  worstCaseUsd,
  type ProviderEntry,
  type RefusalMemory,
  type ResolvedProvider,
} from '@casefile/llm';
import type { ModelPlan, ModelCandidate, PricedModel } from './model-plan.js';
import { timedModel } from './timed-model.js';

export interface ModelPoolOptions {
  /** The provider of a name with this model, or with its own; null: it cannot be used here. */
  providerNamed(name: string, model?: string): ResolvedProvider | null;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
  /** What is asked and answered goes on the spans too; left out: no. */
  captureContent?: boolean;
}

/** Every model this process may call, made when it is first needed. */
export class ModelPool {
  /** What servers are known to refuse, for all models of the process. */
  readonly refusals: RefusalMemory = createRefusalMemory();
  private readonly made = new Map<string, PricedModel | null>();

  constructor(private readonly options: ModelPoolOptions) {}

  /** The ways of a run with these settings to an answer; null: there is none. */
  routeOf(settings: RunSettings): ModelPlan | null {
    const { provider, model, fallbackProviders = [], cheaperModel, lowModel } = settings;
    if (provider === 'none') return null;
    const ways = [
      ...this.way('first', provider, model),
      ...fallbackProviders.flatMap((name) => this.way('fallback', name)),
    ];
    if (ways.length === 0) return null;
    const [cheaper = null] = cheaperModel === undefined ? [] : this.way('cheaper', provider, cheaperModel);
    const [low = null] = lowModel === undefined ? [] : this.way('first', provider, lowModel);
    return { ways, cheaper, low };
  }

  /** The model of a provider; null: it cannot be used here. */
  model(provider: string, model?: string): PricedModel | null {
    const key = `${provider}/${model ?? ''}`;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const paid = this.make(provider, model);
    this.made.set(key, paid);
    return paid;
  }

  private way(route: ModelCandidate['route'], provider: string, model?: string): ModelCandidate[] {
    const paid = this.model(provider, model);
    return paid === null ? [] : [{ ...paid, route }];
  }

  private make(provider: string, model?: string): PricedModel | null {
    const { providerNamed, clock, log, telemetry, captureContent = false } = this.options;
    const resolved = providerNamed(provider, model);
    if (resolved === null) {
      log.warn({ provider, model }, 'a run names a provider that cannot be used here');
      return null;
    }
    const { entry, apiKey } = resolved;
    const made: LanguageModel = createLanguageModel(entry, {
      apiKey,
      clock,
      log,
      refusals: this.refusals,
    });
    return paidModel(timedModel(made, { telemetry, clock, captureContent }), entry);
  }
}

/** A model with the limits, prices and encouragement of its entry in the provider table. */
function paidModel(model: LanguageModel, entry: ProviderEntry): PricedModel {
  return {
    model,
    limits: limitsOf(entry),
    enableReasoning: entry.enableReasoning === true,
    ...(entry.reasoning === undefined ? {} : { reasoning: entry.reasoning }),
    worstCase: (request: ModelRequest) => {
      const input = estimateInputTokens(request);
      const output = outputLimitOf(entry, request);
      return { tokens: input + output, usd: worstCaseUsd(entry, input, output) };
    },
  };
}

function limitsOf({ limits }: ProviderEntry): PricedModel['limits'] {
  const { concurrency, requestsPerMinute, tokensPerMinute } = limits;
  return { concurrency, requestsPerMinute, tokensPerMinute };
}

/**
 * Holds models to budgets that count money: the price of each must be known.
 * @throws CasefileError `bad_configuration` that names every model without one.
 */
export function checkPrices(entries: readonly ProviderEntry[]): void {
  const found = entries.filter((entry) => !isPriced(entry));
  if (found.length === 0) return;
  const names = found.map(
    ({ name, model }) =>
      `- budgets: the price of ${name}/${model} is not known; give it in providers.${name}.prices`,
  );
  throw new CasefileError('bad_configuration', `The configuration is not valid:\n${names.join('\n')}`);
}
