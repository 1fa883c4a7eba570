import type { JsonObject } from '@casefile/contracts';
import { pieces } from '../pieces.js';
import { objectsIn, wordOf } from './text-of-content.js';
import { namedEvent } from './wire.js';

type Event = [type: string, body: JsonObject];

/** Returns the events of a streamed response, numbered in order. */
export function responseEvents(response: JsonObject): string[] {
  const startedResponse = { ...response, status: 'in_progress', completed_at: null, output: [], usage: null };
  const events: Event[] = [
    ['response.created', { response: { ...startedResponse, incomplete_details: null } }],
    ['response.in_progress', { response: { ...startedResponse, incomplete_details: null } }],
    ...objectsIn(response.output).flatMap(itemEvents),
    [response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response }],
  ];
  return events.map(([type, body], index) => namedEvent(type, { sequence_number: index, ...body }));
}

function itemEvents(item: JsonObject, output_index: number): Event[] {
  const where = { item_id: item.id ?? '', output_index };
  const inner =
    item.type === 'reasoning'
      ? objectsIn(item.summary).flatMap((part, index) =>
          summaryEvents(part, { ...where, summary_index: index }),
        )
      : item.type === 'message'
        ? objectsIn(item.content).flatMap((part, index) =>
            partEvents(part, { ...where, content_index: index }),
          )
        : argumentEvents(item, where);
  return [
    ['response.output_item.added', { output_index, item: emptied(item) }],
    ...inner,
    ['response.output_item.done', { output_index, item }],
  ];
}

/** Returns an item as announced, without the content that follows as deltas. */
function emptied(item: JsonObject): JsonObject {
  switch (item.type) {
    case 'reasoning':
      return { ...item, summary: [] };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    default:
      return { ...item, status: 'in_progress', arguments: '' };
  }
}

function summaryEvents(part: JsonObject, where: JsonObject): Event[] {
  const text = wordOf(part.text);
  const kind = 'response.reasoning_summary';
  return [
    [`${kind}_part.added`, { ...where, part: { ...part, text: '' } }],
    ...pieces(text).map((delta): Event => [`${kind}_text.delta`, { ...where, delta }]),
    [`${kind}_text.done`, { ...where, text }],
    [`${kind}_part.done`, { ...where, part }],
  ];
}

function partEvents(part: JsonObject, where: JsonObject): Event[] {
  return [
    ['response.content_part.added', { ...where, part: emptiedPart(part) }],
    ...(part.type === 'refusal' ? refusalEvents(part, where) : textEvents(part, where)),
    ['response.content_part.done', { ...where, part }],
  ];
}

function emptiedPart(part: JsonObject): JsonObject {
  return part.type === 'refusal' ? { ...part, refusal: '' } : { ...part, text: '' };
}

function textEvents({ text }: JsonObject, where: JsonObject): Event[] {
  const outputText = wordOf(text);
  return [
    ...pieces(outputText).map((delta): Event => {
      return ['response.output_text.delta', { ...where, delta, logprobs: [] }];
    }),
    ['response.output_text.done', { ...where, text: outputText, logprobs: [] }],
  ];
}

function refusalEvents({ refusal }: JsonObject, where: JsonObject): Event[] {
  const refusalText = wordOf(refusal);
  return [
    ...pieces(refusalText).map((delta): Event => ['response.refusal.delta', { ...where, delta }]),
    ['response.refusal.done', { ...where, refusal: refusalText }],
  ];
}

function argumentEvents(item: JsonObject, where: JsonObject): Event[] {
  const text = wordOf(item.arguments);
  const kind = 'response.function_call_arguments';
  return [
    ...pieces(text).map((delta): Event => [`${kind}.delta`, { ...where, delta }]),
    [`${kind}.done`, { ...where, name: item.name ?? '', arguments: text }],
  ];
}
