import type {
  Json,
  JsonObject,
  ModelMessage,
  ModelRequest,
  ModelResponse,
  RunSettings,
} from '@casefile/contracts';
import { Pseudonyms, PSEUDONYM_NOTE } from '@casefile/masking';
import type { StepModel } from '@casefile/pipeline';

/** The case, whose id the pseudonyms follow from, and the settings of the run. */
interface MaskedWork {
  caseId: string;
  settings: Pick<RunSettings, 'masking'>;
}

/**
 * Returns a model with personal data masked. Requests are recorded, hashed and sent with pseudonyms. The caller
 * gets the answer with the real values, so quotes, arguments of tools and verdicts have them.
 */
export function maskedModel(model: StepModel, { caseId, settings: { masking } }: MaskedWork): StepModel {
  if (masking === undefined) return model;
  return {
    get available() {
      return model.available;
    },
    recorded: (step) => model.recorded(step),
    draw: (deadlineMs) => model.draw(deadlineMs),
    call: async (step, request, deadlineAt) => {
      const pseudonyms = new Pseudonyms(caseId, masking);
      const masked = maskedRequest(request, pseudonyms);
      return realResponse(await model.call(step, masked, deadlineAt), pseudonyms);
    },
  };
}

/** Returns a request without personal data, with a note on pseudonyms at the end of its system message. */
export function maskedRequest(request: ModelRequest, pseudonyms: Pseudonyms): ModelRequest {
  eachText(request as unknown as Json, (text) => {
    pseudonyms.learn(text);
    return text;
  });
  const mask = (text: string) => pseudonyms.mask(text);
  const { messages, tools, answerSchema } = request;
  const masked = messages.map((message) => maskedMessage(message, mask));
  const [first] = masked;
  if (first?.role === 'system') masked[0] = { ...first, content: `${first.content}\n\n${PSEUDONYM_NOTE}` };
  else masked.unshift({ role: 'system', content: PSEUDONYM_NOTE });
  return {
    ...request,
    messages: masked,
    ...(tools === undefined
      ? {}
      : { tools: eachText(tools as unknown as Json, mask) as unknown as typeof tools }),
    ...(answerSchema === undefined
      ? {}
      : { answerSchema: { ...answerSchema, schema: eachText(answerSchema.schema, mask) as JsonObject } }),
  };
}

// The state of the provider is its own text, which has pseudonyms only, and must be returned unchanged.
function maskedMessage(message: ModelMessage, mask: (text: string) => string): ModelMessage {
  const content = mask(message.content);
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content };
  return {
    ...message,
    content,
    toolCalls: message.toolCalls.map((one) => ({ ...one, args: eachText(one.args, mask) })),
  };
}

function realResponse(response: ModelResponse, pseudonyms: Pseudonyms): ModelResponse {
  const real = (text: string) => pseudonyms.unmask(text);
  const { content, toolCalls, reasoning } = response;
  return {
    ...response,
    content: real(content),
    toolCalls: toolCalls.map((one) => ({ ...one, args: eachText(one.args, real) })),
    reasoning: reasoning === null ? null : { ...reasoning, content: real(reasoning.content) },
  };
}

/** Returns a copy of a value with each of its texts replaced. Names of fields stay. */
function eachText(value: Json, replace: (text: string) => string): Json {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((one) => eachText(one, replace));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, eachText(one, replace)]),
  );
}
