import type {
  InteractionRoute,
  LanguageModel,
  ModelLevel,
  ModelRequest,
  ProviderLimits,
  ReasoningSwitch,
} from '@casefile/contracts';

/** The most that a call may come to. */
export interface WorstCase {
  /** Input and output together. */
  tokens: number;
  /** US dollars; null: the price of the model is not known. */
  usd: number | null;
}

/** A model with what is known of its provider. */
export interface PricedModel {
  model: LanguageModel;
  limits: ProviderLimits;
  /** S2-03: prompts of the kind tool selection encourage thinking aloud. */
  enableReasoning: boolean;
  /** For which kinds of prompts its provider's entry has it think; absent: for all. S2-07. */
  reasoning?: ReasoningSwitch;
  worstCase(request: ModelRequest): WorstCase;
}

/** One way to an answer. */
export interface ModelCandidate extends PricedModel {
  route: InteractionRoute;
}

/** The ways of a run to an answer. */
export interface ModelPlan {
  /** The run's own model, then those of its fallback providers in their order. */
  ways: readonly ModelCandidate[];
  /** Asked when a budget has no room for those; null: none is named. */
  cheaper: ModelCandidate | null;
  /** Asked before all others by questions of the level `low`; null: none is named. S2-07. */
  low: ModelCandidate | null;
}

/** The route of a question: one of the level `low` goes to the cheaper of a run's models, where it has two. */
export function routeAt(route: ModelPlan, level: ModelLevel = 'high'): ModelPlan {
  const { low, ways } = route;
  return level === 'high' || low === null ? route : { ...route, ways: [low, ...ways.slice(1)] };
}

const UNLIMITED: ProviderLimits = { concurrency: null, requestsPerMinute: null, tokensPerMinute: null };

/** A model about whose provider nothing is known: no limits, no price, no encouragement. */
export function plainModel(model: LanguageModel): PricedModel {
  const tokens = (request: ModelRequest) => JSON.stringify(request).length + request.maxOutputTokens;
  const worstCase = (request: ModelRequest) => ({ tokens: tokens(request), usd: null });
  return { model, limits: UNLIMITED, enableReasoning: false, worstCase };
}

/** The route over one model and nothing else. */
export function routeOver(paid: PricedModel): ModelPlan {
  return { ways: [{ ...paid, route: 'first' }], cheaper: null, low: null };
}
