import { isObject, jsonObjectSchema, jsonSchema, parseInput, z, type JsonObject } from '@casefile/contracts';
import { answerFinish, parsedArguments, answerReasoning, type Answer } from '../answer.js';
import { pieces } from '../pieces.js';
import type { Question, Turn } from '@casefile/kit/demonstration/question';
import { answerUsage } from '../usage-of.js';
import { chatReasoning } from './openai-chat-reasoning.js';
import { textOfContent } from './text-of-content.js';
import {
  headerBearer,
  dataEvent,
  keyFits,
  MODEL,
  refusal,
  type Exchange,
  type Failure,
  type Wire,
  type WireContext,
} from './wire.js';

const FINGERPRINT = 'simulated';

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: jsonSchema.optional(),
  tool_call_id: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }),
    )
    .nullish(),
});
type ChatMessage = z.infer<typeof messageSchema>;
const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), parameters: jsonObjectSchema.optional() }),
});
const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  reasoning_effort: z.string().nullish(),
  chat_template_kwargs: jsonObjectSchema.nullish(),
  thinking: jsonObjectSchema.nullish(),
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: jsonSchema.optional(),
  response_format: z.looseObject({ type: z.string(), json_schema: jsonObjectSchema.optional() }).nullish(),
});
type ChatRequest = z.infer<typeof requestSchema>;

/** `POST /v1/chat/completions`, as documented by OpenAI and implemented by many other servers. */
export const openAiChat: Wire = {
  protocol: 'openai-chat',
  serves: (path) => path === '/v1/chat/completions',
  read({ body, headers }, context) {
    checkKey(headerBearer(headers), context);
    const request = parseInput(requestSchema, body, 'request');
    checkChatHistory(request.messages, context);
    return exchangeFor(request, context);
  },
  failure: openAiFailure,
  lateFailure: (failure) => dataEvent(openAiFailure(failure)),
};

/** @throws a refusal with 401 if the script requires another key. */
export function checkKey(key: string | undefined, context: WireContext): void {
  if (keyFits(context, key)) return;
  throw refusal('Incorrect API key provided.', { status: 401, code: 'invalid_api_key' });
}

/** Returns a failure in OpenAI's format, for all of its endpoints. */
export function openAiFailure({ status, code, message, param }: Failure): JsonObject {
  const text = message ?? `Simulated failure ${status}.`;
  const type =
    status === 429 ? (code ?? 'rate_limit_error') : status < 500 ? 'invalid_request_error' : 'server_error';
  return { error: { message: text, type, param: param ?? null, code: code ?? null } };
}

/** Parameters that turn reasoning off: for Ollama and OpenAI, for vLLM, and for DeepSeek. */
const ANSWERS_AT_ONCE: ((request: ChatRequest) => boolean)[] = [
  ({ reasoning_effort: effort }) => effort === 'none',
  ({ chat_template_kwargs: template }) => template?.enable_thinking === false,
  ({ thinking }) => thinking?.type === 'disabled',
];

export function readChatQuestion(body: JsonObject): Question {
  return questionOf(parseInput(requestSchema, body, 'request'));
}

function questionOf(request: ChatRequest): Question {
  const schema = request.response_format?.json_schema?.schema;
  return {
    turns: request.messages.map(chatMessageTurn),
    tools: (request.tools ?? []).map(({ function: { name, parameters = {} } }) => ({ name, parameters })),
    mayCallTools: request.tool_choice !== 'none',
    mustCallTools: request.tool_choice === 'required' || isObject(request.tool_choice),
    schema: isObject(schema) ? schema : undefined,
    json: request.response_format?.type === 'json_object',
    stream: request.stream === true,
    limit: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    thinks: !ANSWERS_AT_ONCE.some((off) => off(request)),
  };
}

function chatMessageTurn({ role, content, tool_calls: calls, tool_call_id: callId }: ChatMessage): Turn {
  return {
    role: role === 'developer' ? 'system' : role,
    text: textOfContent(content),
    ...(calls?.length && {
      calls: calls.map(({ id, function: { name, arguments: args } }) => {
        return { id, name, args: parsedArguments(args) };
      }),
    }),
    ...(typeof callId === 'string' && { callId }),
  };
}

function exchangeFor(request: ChatRequest, { script, memory }: WireContext): Exchange {
  const question = questionOf(request);
  const remember = (answer: Answer) => {
    for (const { id } of answer.toolCalls ?? [])
      memory.remember(`openai-chat/${id}`, answerReasoning(answer).join('\n\n'));
  };
  const usage = (answer: Answer) => wireUsage(answer, question);
  return {
    question,
    whole(answer, n) {
      remember(answer);
      const message = {
        role: 'assistant',
        content: answer.content,
        refusal: answer.refusal ?? null,
        ...chatReasoning(answer, script.chat.reasoningField),
        ...(answer.toolCalls !== undefined && { tool_calls: wireCalls(answer) }),
      };
      const choices = [{ index: 0, message, finish_reason: finish(answer), logprobs: null }];
      return { ...head(n, 'chat.completion'), choices, usage: usage(answer) };
    },
    events(answer, n) {
      remember(answer);
      const chunk = (delta: JsonObject, end: string | null = null) => {
        const choices = [{ index: 0, delta, finish_reason: end }];
        return dataEvent({ ...head(n, 'chat.completion.chunk'), choices });
      };
      const parts = pieces(answerReasoning(answer).join('\n\n'));
      const counted = { ...head(n, 'chat.completion.chunk'), choices: [], usage: usage(answer) };
      return [
        chunk({ role: 'assistant', content: '' }),
        ...reasoningDeltas(answer, parts, script.chat.reasoningField).map((delta) => chunk(delta)),
        ...pieces(answer.content).map((content) => chunk({ content })),
        ...pieces(answer.refusal ?? '').map((text) => chunk({ refusal: text })),
        ...wireCalls(answer).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
        chunk({}, finish(answer)),
        ...(request.stream_options?.include_usage === true ? [dataEvent(counted)] : []),
        'data: [DONE]\n\n',
      ];
    },
  };
}

function reasoningDeltas(answer: Answer, parts: string[], field: Parameters<typeof chatReasoning>[1]) {
  const texts = answer.redacted === true ? answerReasoning(answer) : parts;
  const deltas = texts.map((reasoning) => chatReasoning({ ...answer, reasoning }, field));
  return deltas.filter((delta) => Object.keys(delta).length > 0);
}

function head(n: number, object: string): JsonObject {
  const created = Math.floor(Date.now() / 1000);
  return { id: `chatcmpl-simulated-${n}`, object, created, model: MODEL, system_fingerprint: FINGERPRINT };
}

/** In chat completions a refusal has the same finish reason as any other answer. */
function finish(answer: Answer): string {
  const end = answerFinish(answer);
  return end === 'refusal' ? 'stop' : end;
}

function wireCalls({ toolCalls = [] }: Answer) {
  return toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
}

function wireUsage(answer: Answer, question: Question): JsonObject {
  const { input, output, reasoning, cached } = answerUsage(answer, question);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** @throws a refusal for a history that every server of chat completions rejects. */
function checkChatHistory(messages: ChatMessage[], context: WireContext): void {
  messages.forEach((message, index) => {
    if (message.role === 'tool') checkAnswersCall(messages, index);
    if (message.tool_calls?.length) checkIsAnswered(messages, index);
  });
  if (context.script.chat.requireReasoning) checkReasoning(messages, context);
}

function checkAnswersCall(messages: ChatMessage[], index: number): void {
  const id = messages[index]?.tool_call_id;
  const asking = messages.slice(0, index).findLast(({ role }) => role !== 'tool');
  if (asking?.tool_calls?.some((call) => call.id === id)) return;
  throw refusal(
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    { param: `messages.[${index}].role` },
  );
}

function checkIsAnswered(messages: ChatMessage[], index: number): void {
  const rest = messages.slice(index + 1);
  const next = rest.findIndex(({ role }) => role !== 'tool');
  const answered = (next === -1 ? rest : rest.slice(0, next)).map((message) => message.tool_call_id);
  const open = (messages[index]?.tool_calls ?? []).filter(({ id }) => !answered.includes(id));
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id).join(', ');
  throw refusal(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
    { param: `messages.[${index + 1}].role` },
  );
}

/** Like DeepSeek in thinking mode: tool turns since the last question must come back with their reasoning. */
function checkReasoning(messages: ChatMessage[], { memory }: WireContext): void {
  const questionIndex = messages.findLastIndex(({ role }) => role === 'user');
  messages.forEach((message, index) => {
    if (index < questionIndex || !message.tool_calls?.length) return;
    const { reasoning_content: reasoning } = message;
    const changed = message.tool_calls.some(
      ({ id }) => typeof reasoning === 'string' && memory.contradicts(`openai-chat/${id}`, reasoning),
    );
    if (typeof reasoning === 'string' && !changed) return;
    const what = changed ? 'Changed' : 'Missing';
    throw refusal(`${what} \`reasoning_content\` field in the assistant message at message index ${index}.`);
  });
}
