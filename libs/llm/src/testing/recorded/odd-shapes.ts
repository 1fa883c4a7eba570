import type { JsonObject, ModelToolCall } from '@casefile/contracts';
import { streamedChat, wholeChat } from './openai-chat.js';
import { anthropicAnswer, geminiAnswer, responsesAnswer } from './others.js';
import { ANSWER, CALL, CALL_ARGUMENTS, THOUGHT, USAGE } from './recorded-answer.js';
import type { RecordedAnswer } from './recorded-answer.js';

const sse = { endMark: '[DONE]' };
const plain = { content: ANSWER, finishReason: 'stop', usage: USAGE };
const called = { content: '', reasoning: null, finishReason: 'tool_calls', usage: USAGE };
const thoughts = (source: string, kind: 'raw' | 'summary' = 'raw') => ({ content: THOUGHT, kind, source });

/** Reasoning as parts of the content: as a whole, and as one part per chunk. */
const inParts = (name: string, part: JsonObject): RecordedAnswer => ({
  name: `reasoning in parts of the content: ${name}`,
  provider: 'vllm',
  body: wholeChat({ content: [part, { type: 'text', text: ANSWER }] }),
  events: streamedChat([{ content: [part] }, { content: [{ type: 'text', text: ANSWER }] }]),
  sse,
  // A stream assembles the parts under another field, so the source differs.
  expected: { ...plain, reasoning: { content: THOUGHT, kind: 'raw', source: expect.any(String) as string } },
});

const field = (name: string, value: JsonObject[string]): RecordedAnswer => ({
  name: `reasoning in the field ${name}, as ${Array.isArray(value) ? 'a list' : typeof value}`,
  provider: 'vllm',
  body: wholeChat({ content: ANSWER, [name]: value }),
  events: streamedChat([{ [name]: value, content: null }, { content: ANSWER }]),
  sse,
  expected: { ...plain, reasoning: thoughts(name) },
});

const second: ModelToolCall = { id: 'call_8a', name: CALL.name, args: { value: 'second' } };
const piecesOf = ({ id, name, args }: ModelToolCall, index: object): JsonObject[] => {
  const text = JSON.stringify(args);
  return [
    { tool_calls: [{ ...index, id, type: 'function', function: { name, arguments: '' } }] },
    { tool_calls: [{ ...index, function: { arguments: text.slice(0, 6) } }] },
    { tool_calls: [{ ...index, function: { arguments: text.slice(6) } }] },
  ];
};
const callOf = ({ id, name, args }: ModelToolCall): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});
const twoCalls = (name: string, events: JsonObject[]): RecordedAnswer => ({
  name: `two calls: ${name}`,
  provider: 'vllm',
  body: wholeChat({ content: null, tool_calls: [callOf(CALL), callOf(second)] }, 'tool_calls'),
  events: streamedChat(events, 'tool_calls'),
  sse,
  expected: { ...called, toolCalls: [CALL, second] },
});
const oldCall = { name: CALL.name, arguments: CALL_ARGUMENTS };

/** Answers in shapes that users report of servers and gateways but that no reference describes. */
export const RECORDED_ODD: RecordedAnswer[] = [
  inParts('a part thinking that is a list', {
    type: 'thinking',
    thinking: [{ type: 'text', text: THOUGHT }],
  }),
  inParts('a part thinking that is a text', { type: 'thinking', thinking: THOUGHT }),
  inParts('a part reasoning with a text', { type: 'reasoning', text: THOUGHT }),
  inParts('a part reasoning with a summary', { type: 'reasoning', summary: [{ text: THOUGHT }] }),
  inParts('a part that is marked as thought', { type: 'text', text: THOUGHT, thought: true }),
  field('thinking', [{ type: 'thinking', thinking: THOUGHT }]),
  field('reasoning', { content: THOUGHT }),
  field('thought', THOUGHT),
  twoCalls('each at the index 0', [...piecesOf(CALL, { index: 0 }), ...piecesOf(second, { index: 0 })]),
  twoCalls('without an index', [...piecesOf(CALL, {}), ...piecesOf(second, {})]),
  twoCalls('whole, at the index 0', [
    { tool_calls: [{ index: 0, ...callOf(CALL) }] },
    { tool_calls: [{ index: 0, ...callOf(second) }] },
  ]),
  {
    name: 'a call in the older field function_call',
    provider: 'vllm',
    body: wholeChat({ content: null, function_call: oldCall }, 'function_call'),
    events: streamedChat(
      [
        { function_call: { name: CALL.name, arguments: '' } },
        { function_call: { arguments: CALL_ARGUMENTS.slice(0, 4) } },
        { function_call: { arguments: CALL_ARGUMENTS.slice(4) } },
      ],
      'function_call',
    ),
    sse,
    expected: { ...called, toolCalls: [{ ...CALL, id: 'call_0' }] },
  },
  {
    name: 'openai-responses: reasoning as a part of the message',
    provider: 'openai-responses',
    ...responsesAnswer([
      {
        type: 'message',
        id: 'msg_9',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'reasoning_text', text: THOUGHT },
          { type: 'output_text', text: ANSWER, annotations: [] },
        ],
      },
    ]),
    expected: { ...plain, reasoning: thoughts('reasoning') },
  },
  {
    name: 'anthropic: a block reasoning, of a gateway',
    provider: 'anthropic',
    ...anthropicAnswer(
      [
        { type: 'reasoning', text: THOUGHT },
        { type: 'text', text: ANSWER },
      ],
      [[], [{ type: 'text_delta', text: ANSWER }]],
      'end_turn',
    ),
    expected: { ...plain, reasoning: thoughts('reasoning', 'summary'), sentBack: [JSON.stringify(THOUGHT)] },
  },
  {
    name: 'gemini: a part thinking, of a gateway',
    provider: 'gemini',
    ...geminiAnswer([{ type: 'thinking', thinking: THOUGHT }, { text: ANSWER }]),
    expected: { ...plain, reasoning: thoughts('thought', 'summary'), sentBack: [JSON.stringify(THOUGHT)] },
  },
];
