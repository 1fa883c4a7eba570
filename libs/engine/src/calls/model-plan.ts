import type {
  InteractionRoute,
  LanguageModel,
  ModelRequest,
  ProviderLimits,
  ReasoningSwitch,
  RunSettings,
} from '@casefile/contracts';

/** Upper bound of a call. */
export interface WorstCase {
  /** Input and output together. */
  tokens: number;
  /** US dollars; null: the price of the model is not known. */
  usd: number | null;
}

/** A model with the known facts of its provider. */
export interface PricedModel {
  model: LanguageModel;
  limits: ProviderLimits;
  /** Whether prompts of the kind tool selection ask the model to think aloud. */
  enableReasoning: boolean;
  /** Kinds of prompts for which the provider's entry switches reasoning on. Default: all. */
  reasoning?: ReasoningSwitch;
  worstCase(request: ModelRequest): WorstCase;
}

/** One model that can answer. */
export interface ModelCandidate extends PricedModel {
  route: InteractionRoute;
}

/** Models that a run can use. */
export interface ModelPlan {
  /** The run's own model, followed by its fallback providers in order. */
  ways: readonly ModelCandidate[];
  /** Model to use if a budget has no room for `ways`; null: none is configured. */
  cheaper: ModelCandidate | null;
  /** Model to ask first for questions of the level `low`; null: none is configured. */
  low: ModelCandidate | null;
  /** Model of another provider to ask first for a cross-examination. Default: none is configured. */
  examiner?: ModelCandidate | null;
}

/** Models of all runs. */
export interface RunModels {
  /** Returns the models that a run with these settings may call; null: it runs without a model. */
  routeOf(settings: RunSettings): ModelPlan | null;
}

/**
 * Returns the plan of a question. A question of the level `low` uses the cheaper of a run's models, if it has
 * two. A cross-examination asks the examiner first, and then the models of the run, as without an examiner.
 */
export function routeAt(
  route: ModelPlan,
  { level = 'high', kind }: Pick<ModelRequest, 'level' | 'kind'>,
): ModelPlan {
  const { low, examiner = null } = route;
  const ways = level === 'high' || low === null ? route.ways : [low, ...route.ways.slice(1)];
  if (kind !== 'cross-examination' || examiner === null) return { ...route, ways };
  const others = ways.filter(({ model }) => model.provider !== examiner.model.provider);
  return { ...route, ways: [examiner, ...others] };
}

const UNLIMITED: ProviderLimits = { concurrency: null, requestsPerMinute: null, tokensPerMinute: null };

/** Returns a model without facts of its provider: no limits, no price and no request to think aloud. */
export function plainModel(model: LanguageModel): PricedModel {
  const tokens = (request: ModelRequest) => JSON.stringify(request).length + request.maxOutputTokens;
  const worstCase = (request: ModelRequest) => ({ tokens: tokens(request), usd: null });
  return { model, limits: UNLIMITED, enableReasoning: false, worstCase };
}

/** One model for all runs. */
export class OneModel implements RunModels {
  private readonly plan: ModelPlan | null;

  constructor(model: LanguageModel | null) {
    const ways = model === null ? [] : [{ ...plainModel(model), route: 'first' as const }];
    this.plan = model === null ? null : { ways, cheaper: null, low: null };
  }

  routeOf({ provider }: Pick<RunSettings, 'provider'>): ModelPlan | null {
    return provider === 'none' ? null : this.plan;
  }
}
