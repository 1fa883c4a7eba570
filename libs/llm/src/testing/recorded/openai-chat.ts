import type { JsonObject } from '@casefile/contracts';
import { ANSWER, CALL, CALL_ARGUMENTS, THOUGHT, USAGE } from './recorded-answer.js';
import type { RecordedAnswer } from './recorded-answer.js';

const usage: JsonObject = {
  prompt_tokens: 210,
  completion_tokens: 64,
  total_tokens: 274,
  prompt_tokens_details: { cached_tokens: 128 },
  completion_tokens_details: { reasoning_tokens: 40 },
};
const sse = { endMark: '[DONE]' };
const toolCall = {
  id: CALL.id,
  type: 'function',
  function: { name: CALL.name, arguments: CALL_ARGUMENTS },
};

export const wholeChat = (message: JsonObject, finish = 'stop', used: JsonObject = usage): JsonObject => ({
  id: 'chatcmpl-9',
  object: 'chat.completion',
  model: 'recorded-model',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: used,
});
export const streamedChat = (
  deltas: JsonObject[],
  finish = 'stop',
  used: JsonObject = usage,
): JsonObject[] => {
  const chunk = (choices: JsonObject[], usagePart: JsonObject | null = null): JsonObject => ({
    id: 'chatcmpl-9',
    object: 'chat.completion.chunk',
    model: 'recorded-model',
    choices,
    usage: usagePart,
  });
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: finish }]),
    chunk([], used),
  ];
};
const inContent: JsonObject[] = [
  { role: 'assistant', content: '' },
  { content: ANSWER.slice(0, 9) },
  { content: ANSWER.slice(9) },
];
const inField = (field: string): JsonObject[] => [
  { role: 'assistant', content: '' },
  { [field]: THOUGHT.slice(0, 20), content: null },
  { [field]: THOUGHT.slice(20), content: null },
  ...inContent.slice(1),
];
const plain = { content: ANSWER, finishReason: 'stop', usage: USAGE };
const raw = (source: string) => ({ ...plain, reasoning: { content: THOUGHT, kind: 'raw' as const, source } });
const field = (name: string, provider: string, key: string): RecordedAnswer => ({
  name,
  provider,
  body: wholeChat({ content: ANSWER, [key]: THOUGHT }),
  events: streamedChat(inField(key)),
  sse,
  expected: raw(key),
});
const tagged = (name: string, provider: string, texts: string[], content: string): RecordedAnswer => ({
  name,
  provider,
  body: wholeChat({ content: texts.join('') }),
  events: streamedChat(texts.map((text) => ({ content: text }))),
  sse,
  expected: { ...raw('tags'), content },
});
const details: JsonObject[] = [
  { type: 'reasoning.summary', summary: THOUGHT, format: 'openai-responses-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'gAAAAB-sealed-by-openai', id: 'rs_4', index: 1 },
];

export const RECORDED_CHAT: RecordedAnswer[] = [
  {
    name: 'openai: counts alone',
    provider: 'openai',
    body: wholeChat({ content: ANSWER, refusal: null, annotations: [] }),
    events: streamedChat(inContent),
    sse,
    expected: { ...plain, reasoning: null },
  },
  {
    name: 'grok: reasoning_content, counted separately from the completion',
    provider: 'grok',
    body: wholeChat({ content: ANSWER, reasoning_content: THOUGHT }, 'stop', {
      ...usage,
      completion_tokens: 24,
    }),
    events: streamedChat(inField('reasoning_content'), 'stop', { ...usage, completion_tokens: 24 }),
    sse,
    expected: raw('reasoning_content'),
  },
  {
    name: 'deepseek: reasoning_content in a turn with tools',
    provider: 'deepseek',
    body: wholeChat({ content: '', reasoning_content: THOUGHT, tool_calls: [toolCall] }, 'tool_calls'),
    events: streamedChat(
      [
        { role: 'assistant', content: null, reasoning_content: '' },
        { content: null, reasoning_content: THOUGHT },
        { tool_calls: [{ index: 0, ...toolCall, function: { name: CALL.name, arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: CALL_ARGUMENTS.slice(0, 5) } }] },
        { tool_calls: [{ index: 0, function: { arguments: CALL_ARGUMENTS.slice(5) } }] },
      ],
      'tool_calls',
    ),
    sse,
    expected: {
      ...raw('reasoning_content'),
      content: '',
      toolCalls: [CALL],
      finishReason: 'tool_calls',
      sentBack: [`"reasoning_content":${JSON.stringify(THOUGHT)}`],
    },
  },
  field('vllm: reasoning', 'vllm', 'reasoning'),
  field('vllm until 0.11: reasoning_content', 'vllm', 'reasoning_content'),
  field('ollama: reasoning', 'ollama', 'reasoning'),
  field('ollama: thinking', 'ollama', 'thinking'),
  field('groq: reasoning', 'groq', 'reasoning'),
  {
    name: 'openrouter: reasoning with its details, in a turn with tools',
    provider: 'openrouter',
    body: wholeChat(
      { content: null, reasoning: THOUGHT, reasoning_details: details, tool_calls: [toolCall] },
      'tool_calls',
    ),
    events: streamedChat(
      [
        {
          reasoning: THOUGHT.slice(0, 9),
          reasoning_details: [{ ...details[0], summary: THOUGHT.slice(0, 9) }],
        },
        { reasoning: THOUGHT.slice(9), reasoning_details: [{ ...details[0], summary: THOUGHT.slice(9) }] },
        { reasoning_details: [{ ...details[1] }] },
        { tool_calls: [{ index: 0, ...toolCall }] },
      ],
      'tool_calls',
    ),
    sse,
    expected: {
      content: '',
      reasoning: { content: THOUGHT, kind: 'summary', source: 'reasoning' },
      toolCalls: [CALL],
      finishReason: 'tool_calls',
      usage: USAGE,
      sentBack: ['gAAAAB-sealed-by-openai', `"summary":${JSON.stringify(THOUGHT)}`],
    },
  },
  {
    name: 'openrouter: encrypted details alone',
    provider: 'openrouter',
    body: wholeChat({ content: ANSWER, reasoning: null, reasoning_details: [{ ...details[1] }] }),
    events: streamedChat([{ content: '', reasoning_details: [{ ...details[1] }] }, ...inContent]),
    sse,
    expected: { ...plain, reasoning: { content: '', kind: 'encrypted', source: 'reasoning_details' } },
  },
  tagged('tags split over chunks', 'vllm', ['<th', 'ink>', `${THOUGHT}</thi`, `nk>\n\n${ANSWER}`], ANSWER),
  tagged('a tag that was opened in the prompt', 'ollama', [`${THOUGHT}\n</thi`, `nk>\n${ANSWER}`], ANSWER),
  tagged('a tag that is never closed', 'grok', ['<thinking>', THOUGHT], ''),
];
