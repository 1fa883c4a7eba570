import type { JsonObject } from '@casefile/contracts';
import { ANSWER, CALL, CALL_ARGUMENTS, THOUGHT, USAGE } from './recorded-answer.js';
import type { RecordedAnswer } from './recorded-answer.js';

export const responsesAnswer = (output: JsonObject[]): Pick<RecordedAnswer, 'body' | 'events' | 'sse'> => {
  const head = { id: 'resp_9', object: 'response', model: 'recorded-model', error: null };
  const body = {
    ...head,
    status: 'completed',
    incomplete_details: null,
    output,
    usage: {
      input_tokens: 210,
      input_tokens_details: { cached_tokens: 128 },
      output_tokens: 64,
      output_tokens_details: { reasoning_tokens: 40 },
      total_tokens: 274,
    },
  };
  const items = output.flatMap((item, output_index): JsonObject[] => [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index, item },
  ]);
  const created = { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } };
  const events = [created, ...items, { type: 'response.completed', response: body }];
  return { body, events, sse: { named: true } };
};
const thought = (over: JsonObject): JsonObject => ({ type: 'reasoning', id: 'rs_9', summary: [], ...over });
const message = { type: 'message', id: 'msg_9', role: 'assistant', status: 'completed' };
const said = { ...message, content: [{ type: 'output_text', text: ANSWER, annotations: [], logprobs: [] }] };

export const anthropicAnswer = (
  content: JsonObject[],
  deltas: JsonObject[][],
  stop: string,
): Pick<RecordedAnswer, 'body' | 'events' | 'sse'> => {
  const head = { id: 'msg_9', type: 'message', role: 'assistant', model: 'recorded-model' };
  const used = {
    input_tokens: 82,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 128,
    output_tokens: 64,
    output_tokens_details: { thinking_tokens: 40 },
  };
  const end = { stop_reason: stop, stop_sequence: null };
  const empty: Record<string, JsonObject> = {
    text: { text: '' },
    thinking: { thinking: '', signature: '' },
    tool_use: { input: {} },
  };
  const blocks = content.flatMap((block, index): JsonObject[] => [
    { type: 'content_block_start', index, content_block: { ...block, ...empty[String(block.type)] } },
    ...(deltas[index] ?? []).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  const started = { ...head, content: [], stop_reason: null, usage: { ...used, output_tokens: 1 } };
  const events: JsonObject[] = [
    { type: 'message_start', message: started },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: end, usage: used },
    { type: 'message_stop' },
  ];
  return { body: { ...head, content, ...end, usage: used }, events, sse: { named: true } };
};
const SIGNATURE = 'EqQBCgIYAhIM-signed-by-anthropic';
const thinking = { type: 'thinking', thinking: THOUGHT, signature: SIGNATURE };
const thinks: JsonObject[] = [
  { type: 'thinking_delta', thinking: THOUGHT.slice(0, 11) },
  { type: 'thinking_delta', thinking: THOUGHT.slice(11) },
  { type: 'signature_delta', signature: SIGNATURE },
];
const writes: JsonObject[] = [
  { type: 'text_delta', text: ANSWER.slice(0, 4) },
  { type: 'text_delta', text: ANSWER.slice(4) },
];

export const geminiAnswer = (parts: JsonObject[]): Pick<RecordedAnswer, 'body' | 'events'> => {
  const usageMetadata = {
    promptTokenCount: 210,
    candidatesTokenCount: 24,
    thoughtsTokenCount: 40,
    cachedContentTokenCount: 128,
    totalTokenCount: 274,
  };
  const chunk = (parts: JsonObject[], last: boolean): JsonObject => ({
    candidates: [
      { content: { parts: parts, role: 'model' }, index: 0, ...(last ? { finishReason: 'STOP' } : {}) },
    ],
    usageMetadata,
    modelVersion: 'recorded-model',
  });
  return {
    body: chunk(parts, true),
    events: parts.map((part, index) => chunk([part], index === parts.length - 1)),
  };
};

const plain = { content: ANSWER, finishReason: 'stop', usage: USAGE };
const called = { content: '', toolCalls: [CALL], finishReason: 'tool_calls', usage: USAGE };
const summary = (source: string) => ({ content: THOUGHT, kind: 'summary' as const, source });

export const RECORDED_OTHERS: RecordedAnswer[] = [
  {
    name: 'openai-responses: a summary, and the reasoning encrypted, in a turn with tools',
    provider: 'openai-responses',
    ...responsesAnswer([
      thought({ summary: [{ type: 'summary_text', text: THOUGHT }], encrypted_content: 'gAAAA-sealed' }),
      {
        type: 'function_call',
        id: 'fc_9',
        call_id: CALL.id,
        name: CALL.name,
        arguments: CALL_ARGUMENTS,
        status: 'completed',
      },
    ]),
    expected: {
      ...called,
      reasoning: summary('reasoning.summary'),
      sentBack: ['gAAAA-sealed', 'rs_9', 'fc_9'],
    },
  },
  {
    name: 'openai-responses: encrypted alone',
    provider: 'openai-responses',
    ...responsesAnswer([thought({ encrypted_content: 'gAAAA-sealed' }), said]),
    expected: {
      ...plain,
      reasoning: { content: '', kind: 'encrypted', source: 'reasoning.encrypted_content' },
      sentBack: ['gAAAA-sealed'],
    },
  },
  {
    name: 'openai-responses: raw, of a server of open models',
    provider: 'openai-responses',
    ...responsesAnswer([thought({ content: [{ type: 'reasoning_text', text: THOUGHT }] }), said]),
    expected: { ...plain, reasoning: { content: THOUGHT, kind: 'raw', source: 'reasoning.content' } },
  },
  {
    name: 'anthropic: thinking in a turn with tools',
    provider: 'anthropic',
    ...anthropicAnswer(
      [thinking, { type: 'tool_use', id: CALL.id, name: CALL.name, input: CALL.args as JsonObject }],
      [
        thinks,
        [
          { type: 'input_json_delta', partial_json: '' },
          { type: 'input_json_delta', partial_json: CALL_ARGUMENTS },
        ],
      ],
      'tool_use',
    ),
    expected: { ...called, reasoning: summary('thinking'), sentBack: [SIGNATURE, JSON.stringify(THOUGHT)] },
  },
  {
    name: 'anthropic: thinking that is not displayed',
    provider: 'anthropic',
    ...anthropicAnswer(
      [
        { type: 'thinking', thinking: '', signature: SIGNATURE },
        { type: 'text', text: ANSWER },
      ],
      [thinks.slice(2), writes],
      'end_turn',
    ),
    expected: {
      ...plain,
      reasoning: { content: '', kind: 'encrypted', source: 'thinking' },
      sentBack: [SIGNATURE],
    },
  },
  {
    name: 'anthropic: redacted thinking',
    provider: 'anthropic',
    ...anthropicAnswer(
      [
        { type: 'redacted_thinking', data: 'EmwKAhgB-redacted' },
        { type: 'text', text: ANSWER },
      ],
      [[], writes],
      'end_turn',
    ),
    expected: {
      ...plain,
      reasoning: { content: '', kind: 'redacted', source: 'redacted_thinking' },
      sentBack: ['EmwKAhgB-redacted'],
    },
  },
  {
    name: 'gemini: thoughts, and a signature on the call',
    provider: 'gemini',
    ...geminiAnswer([
      { text: THOUGHT.slice(0, 4), thought: true },
      { text: THOUGHT.slice(4), thought: true },
      {
        functionCall: { id: CALL.id, name: CALL.name, args: CALL.args },
        thoughtSignature: 'CsgB-signed-by-google',
      },
    ]),
    expected: { ...called, reasoning: summary('thought'), sentBack: ['CsgB-signed-by-google'] },
  },
  {
    name: 'gemini: a signature alone, in a part of its own',
    provider: 'gemini',
    ...geminiAnswer([
      { text: ANSWER.slice(0, 6) },
      { text: ANSWER.slice(6) },
      { text: '', thoughtSignature: 'CsgB-sig' },
    ]),
    expected: {
      ...plain,
      reasoning: { content: '', kind: 'encrypted', source: 'thoughtSignature' },
      sentBack: ['CsgB-sig'],
    },
  },
];
