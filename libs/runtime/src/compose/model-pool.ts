import {
  CasefileError,
  type Clock,
  type LanguageModel,
  type Logger,
  type ModelRequest,
  type RunSettings,
  type Telemetry,
  asCasefileError,
  type Attributes,
  type ModelResponse,
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
import { promptName } from '@casefile/pipeline';
import { ATTRIBUTES, METRICS, PROVIDER_NAMES, SPANS } from '@casefile/telemetry';
import type { ModelPlan, ModelCandidate, PricedModel, RunModels } from '@casefile/engine';

export interface ModelPoolOptions {
  /** Returns the provider of a name, with this model or the provider's own; null: not available here. */
  providerNamed(name: string, model?: string): ResolvedProvider | null;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
  /** Whether spans also contain requests and answers. Default: false. */
  captureContent?: boolean;
}

/** All models that this process may call. Each is created when first needed. */
export class ModelPool implements RunModels {
  /** Parameters that servers are known to refuse, shared by all models of the process. */
  readonly refusals: RefusalMemory = createRefusalMemory();
  private readonly models = new Map<string, PricedModel | null>();

  constructor(private readonly options: ModelPoolOptions) {}

  /** Returns the models that a run with these settings can use; null: none. */
  routeOf(settings: RunSettings): ModelPlan | null {
    const { provider, model, fallbackProviders = [], cheaperModel, lowModel, examiner } = settings;
    if (provider === 'none') return null;
    const ways = [
      ...this.way('first', provider, model),
      ...fallbackProviders.flatMap((name) => this.way('fallback', name)),
    ];
    if (ways.length === 0) return null;
    const [cheaper = null] = cheaperModel === undefined ? [] : this.way('cheaper', provider, cheaperModel);
    const [low = null] = lowModel === undefined ? [] : this.way('first', provider, lowModel);
    const [other = null] = examiner === undefined ? [] : this.way('first', examiner.provider, examiner.model);
    return { ways, cheaper, low, examiner: other };
  }

  /** Returns the model of a provider; null: not available here. */
  model(provider: string, model?: string): PricedModel | null {
    const key = `${provider}/${model ?? ''}`;
    const cachedModel = this.models.get(key);
    if (cachedModel !== undefined) return cachedModel;
    const paid = this.make(provider, model);
    this.models.set(key, paid);
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
    const languageModel: LanguageModel = createLanguageModel(entry, {
      apiKey,
      clock,
      log,
      refusals: this.refusals,
    });
    return paidModel(timedModel(languageModel, { telemetry, clock, captureContent }), entry);
  }
}

/** Returns a model with the limits, prices and reasoning settings of its entry in the provider table. */
function paidModel(model: LanguageModel, entry: ProviderEntry): PricedModel {
  const { concurrency, requestsPerMinute, tokensPerMinute } = entry.limits;
  return {
    model,
    limits: { concurrency, requestsPerMinute, tokensPerMinute },
    enableReasoning: entry.enableReasoning === true,
    ...(entry.reasoning === undefined ? {} : { reasoning: entry.reasoning }),
    worstCase: (request: ModelRequest) => {
      const input = estimateInputTokens(request);
      const output = outputLimitOf(entry, request);
      return { tokens: input + output, usd: worstCaseUsd(entry, input, output) };
    },
  };
}

/**
 * Checks that each model has a known price. Called only if a budget counts money.
 * @throws CasefileError `bad_configuration` that names every model without a price.
 */
export function checkPrices(entries: readonly ProviderEntry[]): void {
  const unpricedEntries = entries.filter((entry) => !isPriced(entry));
  if (unpricedEntries.length === 0) return;
  const names = unpricedEntries.map(
    ({ name, model }) =>
      `- budgets: the price of ${name}/${model} is not known; give it in providers.${name}.prices`,
  );
  throw new CasefileError('bad_configuration', `The configuration is not valid:\n${names.join('\n')}`);
}

interface TimedModelPorts {
  telemetry: Telemetry;
  clock: Clock;
  /** Whether to add requests and answers to the spans. The record contains them in any case. */
  captureContent: boolean;
}

/** Limit for a text on a span, in characters. Backends truncate long attributes anyway. */
const MAX_CONTENT = 32_000;

/**
 * Wraps a model to measure its calls by the GenAI conventions: a span, a duration, tokens and cost per model.
 */
function timedModel(model: LanguageModel, ports: TimedModelPorts): LanguageModel {
  const { telemetry, clock, captureContent } = ports;
  const labels = {
    [ATTRIBUTES.operation]: SPANS.model,
    [ATTRIBUTES.provider]: PROVIDER_NAMES[model.provider] ?? model.provider,
    [ATTRIBUTES.requestModel]: model.model,
  };
  const tellTime = (started: number, more: Record<string, string>) =>
    telemetry.measure(METRICS.modelDuration, (clock.now() - started) / 1000, { ...labels, ...more });
  return {
    provider: model.provider,
    model: model.model,
    complete: async (request, options) => {
      const started = clock.now();
      telemetry.count(METRICS.stepsPaid, { provider: model.provider });
      const attributes = { ...labels, ...requestFacts(request, captureContent) };
      try {
        const response = await telemetry.span(
          `${SPANS.model} ${model.model}`,
          attributes,
          async (span) => {
            const answer = await model.complete(request, options);
            span.set(answerFacts(answer, captureContent));
            return answer;
          },
          { kind: 'client' },
        );
        tellTime(started, { [ATTRIBUTES.responseModel]: response.model });
        tellUse(telemetry, labels, response);
        return response;
      } catch (thrown) {
        tellTime(started, { [ATTRIBUTES.errorType]: asCasefileError(thrown).reasonCode });
        throw thrown;
      }
    },
  };
}

function tellUse(telemetry: Telemetry, labels: Record<string, string>, response: ModelResponse): void {
  const { usage, costUsd } = response;
  const count = (type: 'input' | 'output', tokens: number) =>
    telemetry.measure(METRICS.modelTokens, tokens, { ...labels, [ATTRIBUTES.tokenType]: type });
  count('input', usage.inputTokens);
  count('output', usage.outputTokens);
  if (costUsd !== null) telemetry.count(METRICS.modelCost, labels, costUsd);
}

function requestFacts(request: ModelRequest, captureContent: boolean): Attributes {
  const { promptId, maxOutputTokens, temperature, answerSchema, messages } = request;
  const name = promptName(promptId);
  return {
    [ATTRIBUTES.promptId]: promptId,
    [ATTRIBUTES.promptName]: name,
    [ATTRIBUTES.promptVersion]: promptId.slice(name.length + 1),
    [ATTRIBUTES.maxTokens]: maxOutputTokens,
    [ATTRIBUTES.outputType]: answerSchema === undefined ? 'text' : 'json',
    ...(temperature !== undefined && { [ATTRIBUTES.temperature]: temperature }),
    ...(captureContent && {
      [ATTRIBUTES.inputMessages]: asMessages(
        messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] })),
      ),
    }),
  };
}

function answerFacts(response: ModelResponse, captureContent: boolean): Attributes {
  const { model, finishReason, usage, costUsd, reasoning, content } = response;
  const parts = [
    ...(reasoning === null ? [] : [{ type: 'reasoning', content: reasoning.content }]),
    { type: 'text', content },
  ];
  return {
    [ATTRIBUTES.responseModel]: model,
    [ATTRIBUTES.finishReasons]: [finishReason],
    [ATTRIBUTES.inputTokens]: usage.inputTokens,
    [ATTRIBUTES.outputTokens]: usage.outputTokens,
    [ATTRIBUTES.cachedTokens]: usage.cachedTokens,
    [ATTRIBUTES.reasoningTokens]: usage.reasoningTokens,
    [ATTRIBUTES.hasReasoning]: reasoning !== null,
    ...(costUsd !== null && { [ATTRIBUTES.costUsd]: costUsd }),
    ...(captureContent && {
      [ATTRIBUTES.outputMessages]: asMessages([{ role: 'assistant', parts, finish_reason: finishReason }]),
    }),
  };
}

function asMessages(messages: object[]): string {
  return JSON.stringify(messages).slice(0, MAX_CONTENT);
}
