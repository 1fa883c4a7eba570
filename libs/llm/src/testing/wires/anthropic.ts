import type { JsonObject } from '@casefile/contracts';
import type { AnswerBehaviour } from '../provider-behaviour.js';
import { argumentsObject, MODEL, NO_USAGE, pieces } from './wire.js';
import type { FakeWire } from './wire.js';

/** A message as Anthropic documents it; its thinking is signed. */
export function anthropicBody(answer: AnswerBehaviour): JsonObject {
  return {
    ...head,
    content: blocksOf(answer),
    ...endOf(answer),
    usage: usageOf(answer),
  };
}

function events(answer: AnswerBehaviour, length?: number): JsonObject[] {
  const blocks = blocksOf(answer).flatMap((block, index): JsonObject[] => [
    { type: 'content_block_start', index, content_block: { ...block, ...EMPTY[String(block.type)] } },
    ...deltasOf(block, answer, length).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  const usage = usageOf(answer);
  return [
    {
      type: 'message_start',
      message: { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...blocks,
    {
      type: 'message_delta',
      delta: endOf(answer),
      usage: {
        output_tokens: usage.output_tokens ?? 0,
        output_tokens_details: usage.output_tokens_details ?? null,
      },
    },
    { type: 'message_stop' },
  ];
}

/** Initial state of a block, before its pieces arrive. */
const EMPTY: Record<string, JsonObject> = {
  text: { text: '' },
  thinking: { thinking: '', signature: '' },
  tool_use: { input: {} },
};

function deltasOf(block: JsonObject, answer: AnswerBehaviour, length?: number): JsonObject[] {
  if (block.type === 'thinking')
    return [
      ...pieces(String(block.thinking), length).map((thinking) => ({ type: 'thinking_delta', thinking })),
      ...pieces(String(block.signature), length).map((signature) => ({ type: 'signature_delta', signature })),
    ];
  if (block.type === 'text')
    return pieces(String(block.text), length).map((text) => ({ type: 'text_delta', text }));
  const call = answer.toolCalls?.find(({ id }) => id === block.id);
  return pieces(call?.arguments ?? '', length).map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }));
}

export const fakeAnthropic: FakeWire = {
  basePath: '',
  named: true,
  endMark: null,
  body: anthropicBody,
  events,
  failure: ({ status, code, message }) => ({
    type: 'error',
    error: { type: code ?? 'told_error', message: message ?? `told to answer ${status}` },
    request_id: 'req_1',
  }),
};

const head: JsonObject = { id: 'msg_1', type: 'message', role: 'assistant', model: MODEL };
const STOP: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

function endOf({ finishReason, toolCalls, refusal }: AnswerBehaviour): JsonObject {
  const word = finishReason ?? (toolCalls === undefined ? 'stop' : 'tool_calls');
  const stop_reason = refusal === undefined ? (STOP[word] ?? word) : 'refusal';
  const stop_details =
    refusal === undefined ? null : { type: 'refusal', category: null, explanation: refusal };
  return { stop_reason, stop_sequence: null, stop_details };
}

function blocksOf({ content, reasoning, toolCalls }: AnswerBehaviour): JsonObject[] {
  const thinking = {
    type: 'thinking',
    thinking: reasoning ?? '',
    signature: `signed-${Buffer.from(reasoning ?? '').toString('base64')}`,
  };
  const calls = (toolCalls ?? []).map(({ id, name, arguments: text }) => ({
    type: 'tool_use',
    id,
    name,
    input: argumentsObject(text),
  }));
  return [
    ...(reasoning === undefined ? [] : [thinking]),
    ...(content === '' ? [] : [{ type: 'text', text: content, citations: null }]),
    ...calls,
  ];
}

function usageOf({ usage: { input, output, reasoning, cached } = NO_USAGE }: AnswerBehaviour): JsonObject {
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
  };
}
