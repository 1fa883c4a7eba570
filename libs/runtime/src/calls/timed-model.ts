import {
  asCasefileError,
  type Attributes,
  type Clock,
  type LanguageModel,
  type ModelRequest,
  type ModelResponse,
  type Telemetry,
} from '@casefile/contracts';
import { ATTRIBUTES, METRICS, PROVIDER_NAMES, SPANS } from '@casefile/telemetry';

export interface TimedModelPorts {
  telemetry: Telemetry;
  clock: Clock;
  /** Put what is asked and answered on the spans. The record has it in any case. */
  captureContent: boolean;
}

/** Of a text on a span, in characters: backends cut long attributes anyway. */
const MAX_CONTENT = 32_000;

/** A model whose calls are measured as the GenAI conventions say: a span, a duration, tokens and cost by model. */
export function timedModel(model: LanguageModel, ports: TimedModelPorts): LanguageModel {
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
      const asked = { ...labels, ...factsOf(request, captureContent) };
      try {
        const response = await telemetry.span(
          `${SPANS.model} ${model.model}`,
          asked,
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
  const tell = (type: 'input' | 'output', tokens: number) =>
    telemetry.measure(METRICS.modelTokens, tokens, { ...labels, [ATTRIBUTES.tokenType]: type });
  tell('input', usage.inputTokens);
  tell('output', usage.outputTokens);
  if (costUsd !== null) telemetry.count(METRICS.modelCost, labels, costUsd);
}

function factsOf(request: ModelRequest, captureContent: boolean): Attributes {
  const { promptId, maxOutputTokens, temperature, answerSchema, messages } = request;
  return {
    [ATTRIBUTES.promptId]: promptId,
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
  const said = [
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
      [ATTRIBUTES.outputMessages]: asMessages([
        { role: 'assistant', parts: said, finish_reason: finishReason },
      ]),
    }),
  };
}

function asMessages(messages: object[]): string {
  return JSON.stringify(messages).slice(0, MAX_CONTENT);
}
