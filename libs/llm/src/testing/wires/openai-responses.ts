import type { JsonObject } from '@casefile/contracts';
import type { AnswerBehaviour } from '../provider-behaviour.js';
import { MODEL, NO_USAGE, pieces } from './wire.js';
import type { FakeWire } from './wire.js';

/** A stateless response as OpenAI documents it, with the encrypted reasoning next to its summary. */
export function responsesBody(answer: AnswerBehaviour): JsonObject {
  const incomplete = { length: 'max_output_tokens', content_filter: 'content_filter' };
  const reason = Object.entries(incomplete).find(([word]) => word === answer.finishReason)?.[1];
  return {
    ...head,
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output: itemsOf(answer),
    usage: usageOf(answer),
  };
}

function events(answer: AnswerBehaviour, length?: number): JsonObject[] {
  const whole = responsesBody(answer);
  const items = itemsOf(answer).flatMap((item, output_index): JsonObject[] => [
    { type: 'response.output_item.added', output_index, item: { ...item, ...EMPTY[String(item.type)] } },
    ...deltasOf(item, answer, length).map((delta) => ({ ...delta, output_index, item_id: item.id ?? '' })),
    { type: 'response.output_item.done', output_index, item },
  ]);
  const last = whole.status === 'completed' ? 'response.completed' : 'response.incomplete';
  return [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
    ...items,
    { type: last, response: whole },
  ];
}

/** Initial state of an item, before its pieces arrive. */
const EMPTY: Record<string, JsonObject> = {
  message: { content: [] },
  reasoning: { summary: [], encrypted_content: null },
  function_call: { arguments: '' },
};

function deltasOf(item: JsonObject, answer: AnswerBehaviour, length?: number): JsonObject[] {
  const as = (type: string, text: string) => pieces(text, length).map((delta) => ({ type, delta }));
  if (item.type === 'reasoning')
    return [
      { type: 'response.reasoning_summary_part.added', part: { type: 'summary_text', text: '' } },
      ...as('response.reasoning_summary_text.delta', answer.reasoning ?? ''),
    ];
  if (item.type === 'function_call')
    return as('response.function_call_arguments.delta', String(item.arguments));
  return as('response.output_text.delta', answer.content);
}

export const fakeOpenAiResponses: FakeWire = {
  basePath: '/v1',
  named: true,
  endMark: null,
  body: responsesBody,
  events,
  failure: ({ status, code, message }) => ({
    error: {
      message: message ?? `told to answer ${status}`,
      type: 'told',
      param: null,
      code: code ?? null,
    },
  }),
};

const head: JsonObject = { id: 'resp_1', object: 'response', created_at: 1_767_600_000, model: MODEL };

function itemsOf({ content, reasoning, refusal, toolCalls }: AnswerBehaviour): JsonObject[] {
  const items: JsonObject[] = [];
  if (reasoning !== undefined)
    items.push({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: reasoning }],
      encrypted_content: `sealed-${Buffer.from(reasoning).toString('base64')}`,
    });
  const part: JsonObject =
    refusal === undefined
      ? { type: 'output_text', text: content, annotations: [] }
      : { type: 'refusal', refusal };
  if (content !== '' || refusal !== undefined)
    items.push({ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] });
  for (const { id, name, arguments: text } of toolCalls ?? [])
    items.push({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: text,
      status: 'completed',
    });
  return items;
}

function usageOf({ usage: { input, output, reasoning, cached } = NO_USAGE }: AnswerBehaviour): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
