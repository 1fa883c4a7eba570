import { isObject, parseInput, type JsonObject } from '@casefile/contracts';
import { callArguments, answerFinish, answerReasoning, type Answer } from '../answer.js';
import type { Question, Turn } from '@casefile/kit/demonstration/question';
import { seal } from '../seal.js';
import { answerUsage } from '../usage-of.js';
import {
  checkMessages,
  thinkingDigest,
  checkThinking,
  readThinking,
  type Thinking,
} from './anthropic-history.js';
import { requestSchema, type AnthropicMessage, type AnthropicRequest } from './anthropic-request.js';
import { objectsIn, textOfContent, wordOf } from './text-of-content.js';
import {
  headerBearer,
  headerOf,
  keyFits,
  MODEL,
  namedEvent,
  refusal,
  refuseUnknown,
  type Exchange,
  type Failure,
  type Wire,
  type WireCall,
  type WireContext,
} from './wire.js';
import { pieces } from '../pieces.js';

const KNOWN =
  'cache_control container context_management diagnostics inference_geo max_tokens mcp_servers messages metadata model output_config output_format service_tier speed stop_sequences stream system thinking tool_choice tools'.split(
    ' ',
  );
/** Accepted additional fields per version of the API. */
const MORE_KNOWN: Record<string, string[]> = {
  '2023-06-01': ['temperature', 'top_k', 'top_p'],
  '2026-10-21': [],
};
const ERROR_TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
const STOP_REASONS: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** `POST /v1/messages`, as Anthropic documents it. */
export const anthropic: Wire = {
  protocol: 'anthropic',
  serves: (path) => path === '/v1/messages',
  read(call, context) {
    checkKey(call, context);
    refuseUnknown(
      call.body,
      [...KNOWN, ...moreKnown(call)],
      (key) => `${key}: Extra inputs are not permitted`,
    );
    const request = parseInput(requestSchema, call.body, 'request');
    const thinking = readThinking(request);
    checkThinking(request, thinking);
    checkMessages(request.messages, thinking, context.memory);
    return exchangeFor(request, thinking, context);
  },
  failure: anthropicFailure,
  lateFailure: (failure) => namedEvent('error', anthropicFailure(failure)),
};

function anthropicFailure({ status, code, message }: Failure): JsonObject {
  const error = {
    type: ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
    message: message ?? words(status, code),
    ...errorDetails(status, code),
  };
  return { type: 'error', error, request_id: 'req_simulated' };
}

/** Accepts a key in `x-api-key`, or as a bearer token, which the SDK sends since 1.0. */
function checkKey({ headers }: WireCall, context: WireContext): void {
  const key = headerOf(headers, 'x-api-key') ?? headerBearer(headers);
  if (key === undefined) throw refusal('x-api-key header is required', { status: 401 });
  if (!keyFits(context, key)) throw refusal('invalid x-api-key', { status: 401 });
}

function moreKnown({ headers }: WireCall): string[] {
  const version = headerOf(headers, 'anthropic-version');
  if (version === undefined) throw refusal('anthropic-version: header is required');
  const knownKeys = Object.hasOwn(MORE_KNOWN, version) ? MORE_KNOWN[version] : undefined;
  if (knownKeys === undefined) throw refusal(`anthropic-version: "${version}" is not a valid version`);
  return knownKeys;
}

/** Returns the details of an exhausted quota: for a 429 this field, for a 400 only the message. */
function errorDetails(status: number, code: Failure['code']): JsonObject {
  if (code === undefined) return {};
  const error_code = code === 'insufficient_quota' ? 'enforced_spend_limit_reached' : code;
  return status === 429 ? { details: { error_code } } : {};
}

function words(status: number, code: Failure['code']): string {
  const spent = status === 402 || code === 'insufficient_quota';
  return spent
    ? `Simulated failure ${status}: Your credit balance is too low to access the Anthropic API.`
    : `Simulated failure ${status}.`;
}

function questionOf(request: AnthropicRequest): Question {
  const format = isObject(request.output_config?.format) ? request.output_config.format : undefined;
  const schema = format?.schema;
  const system: Turn[] = request.system ? [{ role: 'system', text: textOfContent(request.system) }] : [];
  return {
    turns: [...system, ...request.messages.flatMap(anthropicMessageTurns)],
    tools: (request.tools ?? []).map(({ name, input_schema = {} }) => ({ name, parameters: input_schema })),
    mayCallTools: request.tool_choice?.type !== 'none',
    mustCallTools: request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool',
    schema: isObject(schema) ? schema : undefined,
    json: false,
    stream: request.stream === true,
    limit: request.max_tokens,
    thinks: readThinking(request).kind !== 'off',
  };
}

function anthropicMessageTurns({ role, content }: AnthropicMessage): Turn[] {
  const results = objectsIn(content).filter(({ type }) => type === 'tool_result');
  const resultTurns = results.map((block): Turn => {
    return { role: 'tool', text: textOfContent(block.content), callId: wordOf(block.tool_use_id) };
  });
  const uses = objectsIn(content).filter(({ type }) => type === 'tool_use');
  const calls = uses.map(({ id, name, input = {} }) => ({ id: wordOf(id), name: wordOf(name), args: input }));
  const text = textOfContent(content);
  const messageTurn: Turn = { role, text, ...(calls.length > 0 && { calls }) };
  return text === '' && resultTurns.length > 0 ? resultTurns : [...resultTurns, messageTurn];
}

function exchangeFor(request: AnthropicRequest, thinking: Thinking, { memory }: WireContext): Exchange {
  const question = questionOf(request);
  const message = (answer: Answer, n: number): JsonObject => {
    const content = answerBlocks(answer, thinking);
    for (const { id } of answer.toolCalls ?? []) memory.remember(`anthropic/${id}`, thinkingDigest(content));
    const stop_reason = STOP_REASONS[answerFinish(answer)] ?? answerFinish(answer);
    const stop_details =
      stop_reason === 'refusal'
        ? { type: 'refusal', category: null, explanation: answer.refusal ?? null }
        : null;
    return {
      id: `msg_simulated_${n}`,
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content,
      stop_reason,
      stop_sequence: null,
      stop_details,
      container: null,
      usage: wireUsage(answer, question),
    };
  };
  return { question, whole: message, events: (answer, n) => messageEvents(message(answer, n)) };
}

function answerBlocks(answer: Answer, thinking: Thinking): JsonObject[] {
  const calls = (answer.toolCalls ?? []).map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: callArguments(call),
    caller: { type: 'direct' },
  }));
  const text = answer.content === '' ? [] : [{ type: 'text', text: answer.content, citations: null }];
  const thoughts = thinking.kind === 'off' ? [] : answerReasoning(answer);
  return [
    ...thoughts.map((part): JsonObject => {
      if (answer.redacted === true) return { type: 'redacted_thinking', data: seal(part) };
      const visibleThinking = thinking.display === 'omitted' ? '' : part;
      return { type: 'thinking', thinking: visibleThinking, signature: seal(part, visibleThinking) };
    }),
    ...text,
    ...calls,
  ];
}

/** Anthropic's `input_tokens` do not include tokens read from the cache. */
function wireUsage(answer: Answer, question: Question): JsonObject {
  const { input, output, reasoning, cached } = answerUsage(answer, question);
  return {
    input_tokens: Math.max(0, input - cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
    server_tool_use: null,
    service_tier: 'standard',
  };
}

/** Returns the events of a streamed message. */
function messageEvents(message: JsonObject): string[] {
  const { stop_reason, stop_sequence, stop_details, usage } = message;
  const counted = isObject(usage) ? usage : {};
  const startedMessage = { ...message, content: [], stop_reason: null, stop_details: null };
  const delta = { stop_reason, stop_sequence, stop_details, container: null } as JsonObject;
  return [
    namedEvent('message_start', { message: { ...startedMessage, usage: { ...counted, output_tokens: 1 } } }),
    namedEvent('ping', {}),
    ...objectsIn(message.content).flatMap(blockEvents),
    namedEvent('message_delta', { delta, usage: counted }),
    namedEvent('message_stop', {}),
  ];
}

function blockEvents(block: JsonObject, index: number): string[] {
  const { start, deltas } = unfoldedBlock(block);
  return [
    namedEvent('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => namedEvent('content_block_delta', { index, delta })),
    namedEvent('content_block_stop', { index }),
  ];
}

/** Returns the start of a block, and the deltas that fill the block. */
function unfoldedBlock(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...pieces(wordOf(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature ?? '' },
        ],
      };
    case 'text':
      return {
        start: { ...block, text: '' },
        deltas: pieces(wordOf(block.text)).map((text) => ({ type: 'text_delta', text })),
      };
    case 'tool_use':
      return {
        start: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block.input)).map((partial_json) => {
          return { type: 'input_json_delta', partial_json };
        }),
      };
    default:
      return { start: block, deltas: [] };
  }
}
