import type { Clock, LanguageModel, Telemetry } from '@casefile/contracts';
import { ATTRIBUTES, METRICS, SPANS } from '@casefile/telemetry';

/** A model whose calls are measured: a span, a duration, tokens and cost by model. */
export function timedModel(model: LanguageModel, telemetry: Telemetry, clock: Clock): LanguageModel {
  const labels = {
    [ATTRIBUTES.operation]: SPANS.model,
    [ATTRIBUTES.provider]: model.provider,
    [ATTRIBUTES.requestModel]: model.model,
  };
  return {
    provider: model.provider,
    model: model.model,
    complete: async (request, options) => {
      const started = clock.now();
      telemetry.count(METRICS.stepsPaid, { provider: model.provider });
      try {
        const response = await telemetry.span(`${SPANS.model} ${model.model}`, labels, () =>
          model.complete(request, options),
        );
        telemetry.count(
          METRICS.modelTokens,
          { ...labels, 'gen_ai.token.type': 'input' },
          response.usage.inputTokens,
        );
        telemetry.count(
          METRICS.modelTokens,
          { ...labels, 'gen_ai.token.type': 'output' },
          response.usage.outputTokens,
        );
        if (response.costUsd !== null) telemetry.count(METRICS.modelCost, labels, response.costUsd);
        return response;
      } finally {
        telemetry.measure(METRICS.modelDuration, (clock.now() - started) / 1000, labels);
      }
    },
  };
}
