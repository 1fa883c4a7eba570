import type { JsonObject } from '@casefile/contracts';
import type { AnswerBehaviour } from '../provider-behaviour.js';
import { MODEL, NO_USAGE, pieces } from './wire.js';
import type { FakeWire } from './wire.js';

/** A chat completion as OpenAI documents it, with DeepSeek's field for reasoning. */
export function completion(answer: AnswerBehaviour): JsonObject {
  const message: JsonObject = { role: 'assistant', content: answer.content, refusal: answer.refusal ?? null };
  if (answer.reasoning !== undefined) message.reasoning_content = answer.reasoning;
  if (answer.toolCalls !== undefined) message.tool_calls = answer.toolCalls.map(callOf);
  const choices = [{ index: 0, message, finish_reason: finishOf(answer), logprobs: null }];
  return { ...head('chat.completion'), choices, usage: usageOf(answer) };
}

function chunks(answer: AnswerBehaviour, length?: number): JsonObject[] {
  const calls = (answer.toolCalls ?? []).flatMap((call, index) => [
    { tool_calls: [{ index, ...callOf({ ...call, arguments: '' }) }] },
    ...pieces(call.arguments, length).map((text) => ({
      tool_calls: [{ index, function: { arguments: text } }],
    })),
  ]);
  const deltas: JsonObject[] = [
    { role: 'assistant', content: '' },
    ...pieces(answer.reasoning ?? '', length).map((text) => ({ reasoning_content: text, content: null })),
    ...pieces(answer.content, length).map((text) => ({ content: text })),
    ...pieces(answer.refusal ?? '', length).map((text) => ({ refusal: text })),
    ...calls,
  ];
  const chunk = (delta: JsonObject, finish: string | null): JsonObject => ({
    ...head('chat.completion.chunk'),
    choices: [{ index: 0, delta, finish_reason: finish }],
    usage: null,
  });
  return [
    ...deltas.map((delta) => chunk(delta, null)),
    chunk({}, finishOf(answer)),
    { ...head('chat.completion.chunk'), choices: [], usage: usageOf(answer) },
  ];
}

export const fakeOpenAiChat: FakeWire = {
  basePath: '/v1',
  named: false,
  endMark: '[DONE]',
  body: completion,
  events: chunks,
  failure: ({ status, code, message }) => ({
    error: {
      message: message ?? `told to answer ${status}`,
      type: 'told',
      param: null,
      code: code ?? null,
    },
  }),
};

function head(object: string): JsonObject {
  return { id: 'chatcmpl-1', object, created: 1_767_600_000, model: MODEL };
}

function callOf({ id, name, arguments: text }: { id: string; name: string; arguments: string }): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } };
}

function finishOf({ finishReason, toolCalls }: AnswerBehaviour): string {
  return finishReason ?? (toolCalls === undefined ? 'stop' : 'tool_calls');
}

function usageOf({ usage: { input, output, reasoning, cached } = NO_USAGE }: AnswerBehaviour): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
