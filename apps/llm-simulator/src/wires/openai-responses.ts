import { isObject, jsonObjectSchema, jsonSchema, parseInput, z } from '@casefile/contracts';
import type { Json, JsonObject } from '@casefile/contracts';
import { answerFinish, parsedArguments, answerReasoning } from '../answer.js';
import type { Answer } from '../answer.js';
import type { Question, Turn } from '@casefile/kit/demonstration/question';
import { seal } from '../seal.js';
import { answerUsage } from '../usage-of.js';
import { checkKey, openAiFailure } from './openai-chat.js';
import { responseEvents } from './openai-responses-events.js';
import { checkResponsesInput } from './openai-responses-input.js';
import { textOfContent, wordOf } from './text-of-content.js';
import { headerBearer, MODEL, namedEvent, refuseUnknown } from './wire.js';
import type { Exchange, Wire, WireContext } from './wire.js';

const KNOWN =
  'background context_management conversation include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user'.split(
    ' ',
  );
const SEALED = 'reasoning.encrypted_content';

const requestSchema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(jsonObjectSchema).min(1)]),
  instructions: z.string().nullish(),
  include: z.array(z.string()).nullish(),
  max_output_tokens: z.number().int().min(16).nullish(),
  reasoning: z.looseObject({ summary: z.enum(['auto', 'concise', 'detailed']).nullish() }).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  tool_choice: jsonSchema.optional(),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string().optional(),
        parameters: jsonObjectSchema.nullish(),
      }),
    )
    .nullish(),
});
type ResponsesRequest = z.infer<typeof requestSchema>;

/** `POST /v1/responses`, without state at the provider (`previous_response_id`, `conversation`). */
export const openAiResponses: Wire = {
  protocol: 'openai-responses',
  serves: (path) => path === '/v1/responses',
  read({ body, headers }, context) {
    checkKey(headerBearer(headers), context);
    refuseUnknown(body, KNOWN, (key) => `Unknown parameter: '${key}'.`);
    const request = parseInput(requestSchema, body, 'request');
    checkResponsesInput(request, context);
    return exchangeFor(request, context);
  },
  failure: openAiFailure,
  lateFailure: (failure) => namedEvent('error', { ...openAiFailure(failure), sequence_number: 1_000 }),
};

function questionOf(request: ResponsesRequest): Question {
  const { input, instructions } = request;
  const items: JsonObject[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const before: Turn[] = instructions ? [{ role: 'system', text: instructions }] : [];
  const format: Json | undefined = request.text?.format as Json | undefined;
  const schema = isObject(format) ? format.schema : undefined;
  return {
    turns: [...before, ...joinCalls(items.flatMap(turnsOf))],
    tools: (request.tools ?? []).flatMap(({ type, name, parameters }) =>
      type === 'function' && name !== undefined ? [{ name, parameters: parameters ?? {} }] : [],
    ),
    mayCallTools: request.tool_choice !== 'none',
    mustCallTools: request.tool_choice === 'required' || isObject(request.tool_choice),
    schema: isObject(schema) ? schema : undefined,
    json: request.text?.format?.type === 'json_object',
    stream: request.stream === true,
    limit: request.max_output_tokens ?? undefined,
    thinks: request.reasoning?.effort !== 'none',
  };
}

function turnsOf(item: JsonObject): Turn[] {
  if (item.type === 'function_call_output')
    return [{ role: 'tool', text: textOfContent(item.output), callId: wordOf(item.call_id) }];
  if (item.type === 'function_call') {
    const args = parsedArguments(wordOf(item.arguments));
    return [
      {
        role: 'assistant',
        text: '',
        calls: [{ id: wordOf(item.call_id), name: wordOf(item.name), args }],
      },
    ];
  }
  const text = textOfContent(item.content);
  switch (item.role) {
    case 'system':
    case 'developer':
      return [{ role: 'system', text }];
    case 'user':
    case 'assistant':
      return [{ role: item.role, text }];
    default:
      return [];
  }
}

/** Each call is a separate item in this format. Calls of one turn are joined with the text of the turn. */
function joinCalls(turns: Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (turn.calls === undefined || last?.role !== 'assistant') joined.push(turn);
    else joined[joined.length - 1] = { ...last, calls: [...(last.calls ?? []), ...turn.calls] };
  }
  return joined;
}

function exchangeFor(request: ResponsesRequest, { memory }: WireContext): Exchange {
  const question = questionOf(request);
  const response = (answer: Answer, n: number): JsonObject => {
    const output = outputOf(answer, request, n);
    const [reasoning] = output.filter((item) => item.type === 'reasoning');
    if (reasoning !== undefined) {
      if (request.store !== false) memory.remember(`openai-responses/stored/${reasoning.id}`, '');
      for (const item of output)
        if (item.type === 'function_call')
          memory.remember(`openai-responses/${item.id}`, wordOf(reasoning.id));
    }
    return answerResponse(answer, request, question, output, n);
  };
  return {
    question,
    whole: response,
    events: (answer, n) => responseEvents(response(answer, n)),
  };
}

function answerResponse(
  answer: Answer,
  request: ResponsesRequest,
  question: Question,
  output: JsonObject[],
  n: number,
): JsonObject {
  const end = answerFinish(answer);
  const reason = { length: 'max_output_tokens', content_filter: 'content_filter' }[end];
  const at = Math.floor(Date.now() / 1000);
  return {
    id: `resp_simulated_${n}`,
    object: 'response',
    created_at: at,
    completed_at: at,
    model: MODEL,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: null,
    store: request.store ?? true,
    reasoning: { effort: null, summary: request.reasoning?.summary ?? null },
    temperature: 1,
    top_p: 1,
    truncation: 'disabled',
    tool_choice: request.tool_choice ?? 'auto',
    tools: (request.tools ?? []) as Json[],
    usage: wireUsage(answer, question),
  };
}

function outputOf(answer: Answer, request: ResponsesRequest, n: number): JsonObject[] {
  const status = answerFinish(answer) === 'length' ? 'incomplete' : 'completed';
  const calls = (answer.toolCalls ?? []).map((call, index) => ({
    id: `fc_simulated_${n}_${index}`,
    type: 'function_call',
    status,
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  }));
  const contentParts = messageContent(answer);
  const message = {
    id: `msg_simulated_${n}`,
    type: 'message',
    role: 'assistant',
    status,
    content: contentParts,
  };
  return [...reasoningItem(answer, request, n), ...(contentParts.length === 0 ? [] : [message]), ...calls];
}

/** Returns the reasoning item. The summary and the sealed content are included only if requested. */
function reasoningItem(answer: Answer, request: ResponsesRequest, n: number): JsonObject[] {
  const parts = answerReasoning(answer);
  if (parts.length === 0) return [];
  const isSummaryShown = Boolean(request.reasoning?.summary) && answer.redacted !== true;
  return [
    {
      id: `rs_simulated_${n}`,
      type: 'reasoning',
      summary: isSummaryShown ? parts.map((text) => ({ type: 'summary_text', text })) : [],
      ...(request.include?.includes(SEALED) === true && { encrypted_content: seal(parts.join('\n\n')) }),
    },
  ];
}

function messageContent({ content, refusal }: Answer): JsonObject[] {
  const text = { type: 'output_text', text: content, annotations: [], logprobs: [] };
  return [
    ...(content === '' ? [] : [text]),
    ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }]),
  ];
}

function wireUsage(answer: Answer, question: Question): JsonObject {
  const { input, output, reasoning, cached } = answerUsage(answer, question);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
