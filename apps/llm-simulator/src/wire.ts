import type { JsonObject } from '@casefile/contracts';
import type { Answer } from './answer.js';
import type { ChatRequest } from './chat-request.js';

/** The name under which the simulator answers, whatever model it was asked for. */
export const MODEL = 'casefile-simulator';
const FINGERPRINT = 'simulated';
/** A usual estimate for English. */
const CHARACTERS_A_TOKEN = 4;
const PIECE = 40;

/** A chat completion as OpenAI documents it, with `reasoning_content` as DeepSeek and vLLM send it. */
export function completion(answer: Answer, request: ChatRequest, id: string): JsonObject {
  const message: JsonObject = { role: 'assistant', content: answer.content, refusal: answer.refusal ?? null };
  if (answer.reasoning !== undefined) message.reasoning_content = answer.reasoning;
  if (answer.toolCalls !== undefined) message.tool_calls = wireCalls(answer);
  const choices = [{ index: 0, message, finish_reason: finishOf(answer), logprobs: null }];
  return { ...head(id, 'chat.completion'), choices, usage: usageOf(answer, request) };
}

/** The same as server-sent events, one text each. */
export function completionEvents(answer: Answer, request: ChatRequest, id: string): string[] {
  const chunk = (delta: JsonObject, finish: string | null = null) =>
    event({ ...head(id, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] });
  const calls = wireCalls(answer).map((call, index) => chunk({ tool_calls: [{ index, ...call }] }));
  const usage = { ...head(id, 'chat.completion.chunk'), choices: [], usage: usageOf(answer, request) };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(answer.reasoning ?? '').map((text) => chunk({ reasoning_content: text })),
    ...pieces(answer.content).map((text) => chunk({ content: text })),
    ...calls,
    chunk({}, finishOf(answer)),
    ...(request.stream_options?.include_usage === true ? [event(usage)] : []),
    'data: [DONE]\n\n',
  ];
}

export function failure(status: number, code: string | undefined, message: string | undefined): JsonObject {
  const said = message ?? `Simulated failure ${status}.`;
  const type =
    status === 429 ? (code ?? 'rate_limit_error') : status < 500 ? 'invalid_request_error' : 'server_error';
  return { error: { message: said, type, param: null, code: code ?? null } };
}

/** What `GET /v1/models` answers. */
export const MODELS: JsonObject = {
  object: 'list',
  data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'casefile (simulated answers)' }],
};

function head(id: string, object: string): JsonObject {
  return {
    id,
    object,
    created: Math.floor(Date.now() / 1000),
    model: MODEL,
    system_fingerprint: FINGERPRINT,
  };
}

function event(body: JsonObject): string {
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** Whole characters: a half one would not survive on its own. */
function pieces(text: string): string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / PIECE);
  return Array.from({ length: count }, (_none, index) =>
    characters.slice(index * PIECE, (index + 1) * PIECE).join(''),
  );
}

function finishOf(answer: Answer): string {
  return answer.finishReason ?? (answer.toolCalls === undefined ? 'stop' : 'tool_calls');
}

function wireCalls({ toolCalls = [] }: Answer) {
  return toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
}

function usageOf(answer: Answer, request: ChatRequest): JsonObject {
  const reasoning = tokens(answer.reasoning ?? '');
  const output = tokens(answer.content) + tokens(JSON.stringify(answer.toolCalls ?? '')) + reasoning;
  const usage = answer.usage ?? {
    input: tokens(JSON.stringify(request.messages)),
    output,
    reasoning,
    cached: 0,
  };
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}

function tokens(text: string): number {
  return text === '""' ? 0 : Math.ceil(text.length / CHARACTERS_A_TOKEN);
}
