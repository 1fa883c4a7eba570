import type {
  Json,
  JsonObject,
  ModelMessage,
  ModelRequest,
  ModelResponse,
  RunSettings,
  Embedder,
  Masking,
} from '@casefile/contracts';
import { Pseudonyms, PSEUDONYM_NOTE, findPersonalData, replaceValues } from '@casefile/masking';
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
      const masked = await maskedRequest(request, pseudonyms);
      return realResponse(await model.call(step, masked, deadlineAt), pseudonyms);
    },
  };
}

/** Returns a request without personal data, with a note on pseudonyms at the end of its system message. */
async function maskedRequest(request: ModelRequest, pseudonyms: Pseudonyms): Promise<ModelRequest> {
  await eachText(request as unknown as Json, async (text) => {
    await pseudonyms.learn(text);
    return text;
  });
  const mask = (text: string) => pseudonyms.mask(text);
  const { messages, tools, answerSchema } = request;
  const masked: ModelMessage[] = [];
  for (const message of messages) masked.push(await maskedMessage(message, mask));
  const [first] = masked;
  if (first?.role === 'system') masked[0] = { ...first, content: `${first.content}\n\n${PSEUDONYM_NOTE}` };
  else masked.unshift({ role: 'system', content: PSEUDONYM_NOTE });
  return {
    ...request,
    messages: masked,
    ...(tools === undefined
      ? {}
      : { tools: (await eachText(tools as unknown as Json, mask)) as unknown as typeof tools }),
    ...(answerSchema === undefined
      ? {}
      : {
          answerSchema: {
            ...answerSchema,
            schema: (await eachText(answerSchema.schema, mask)) as JsonObject,
          },
        }),
  };
}

type Replace = (text: string) => string | Promise<string>;

// The state of the provider is its own text, which has pseudonyms only, and must be returned unchanged.
async function maskedMessage(message: ModelMessage, mask: Replace): Promise<ModelMessage> {
  const content = await mask(message.content);
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content };
  return { ...message, content, toolCalls: await eachArgument(message.toolCalls, mask) };
}

async function eachArgument(
  calls: ModelResponse['toolCalls'],
  replace: Replace,
): Promise<ModelResponse['toolCalls']> {
  const replaced: ModelResponse['toolCalls'] = [];
  for (const one of calls) replaced.push({ ...one, args: await eachText(one.args, replace) });
  return replaced;
}

async function realResponse(response: ModelResponse, pseudonyms: Pseudonyms): Promise<ModelResponse> {
  const real = (text: string) => pseudonyms.unmask(text);
  const { content, toolCalls, reasoning } = response;
  return {
    ...response,
    content: real(content),
    toolCalls: await eachArgument(toolCalls, real),
    reasoning: reasoning === null ? null : { ...reasoning, content: real(reasoning.content) },
  };
}

/** Returns a copy of a value with each of its texts replaced, one after another. Names of fields stay. */
async function eachText(value: Json, replace: Replace): Promise<Json> {
  if (typeof value === 'string') return replace(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const one of value) items.push(await eachText(one, replace));
    return items;
  }
  const fields: JsonObject = {};
  for (const [name, one] of Object.entries(value))
    if (one !== undefined) fields[name] = await eachText(one, replace);
  return fields;
}

/**
 * Returns an embedder that sends the class in place of each value, such as `[EMAIL]`. A vector is compared with
 * those of all cases, so a pseudonym of one case has no use here.
 * @param kinds Masking of each kind of case. All classes and patterns of all kinds are masked.
 */
export function maskedEmbedder(embedder: Embedder, kinds: readonly (Masking | undefined)[]): Embedder {
  const [first, ...others] = kinds.flatMap((one) => one ?? []);
  if (embedder.locality === 'local' || first === undefined) return embedder;
  const masking = others.reduce(
    (all, { personalData, patterns }) => ({
      ...all,
      personalData: [...new Set([...all.personalData, ...personalData])],
      patterns: [...all.patterns, ...patterns],
    }),
    first,
  );
  return {
    ...embedder,
    embed: (texts, signal) =>
      Promise.all(texts.map((text) => withClasses(text, masking))).then((masked) =>
        embedder.embed(masked, signal),
      ),
  };
}

async function withClasses(text: string, masking: Masking): Promise<string> {
  return replaceValues(text, await findPersonalData(text, masking), ({ label }) => `[${label}]`);
}
