import type { Json, JsonObject, ModelDelta } from '@casefile/contracts';
import { isObject, listOf, partOf, textIn } from '../json-parts.js';
import type { Assembled } from '../reading.js';

/** Puts streamed chunks together: each is an answer of its own with the parts that are new. */
export function assembleGenerated(events: Json[]): Assembled {
  let head: JsonObject = {};
  let candidate: JsonObject = {};
  const parts: PartInPieces[] = [];
  const unread = events.filter((event) => !isKnown(event));
  for (const event of events) {
    if (!isObject(event)) continue;
    head = { ...head, ...event };
    const given = listOf(event.candidates)[0];
    if (!isObject(given)) continue;
    candidate = { ...candidate, ...given };
    for (const part of listOf(partOf(given.content, 'parts'))) takePart(part, parts);
  }
  const finished = textIn(candidate, 'finishReason') !== '';
  const blocked = textIn(head.promptFeedback, 'blockReason') !== '';
  if (Object.keys(candidate).length === 0) return { body: head, ended: blocked, unread };
  const content = { role: 'model', parts: parts.map(joined) };
  return { body: { ...head, candidates: [{ ...candidate, content }] }, ended: finished, unread };
}

/** A chunk has a candidate with parts, or none (usage, a blocked prompt); the last may have no parts. */
function isKnown(event: Json): boolean {
  if (!isObject(event)) return false;
  const { candidates } = event;
  if (candidates === undefined)
    return event.usageMetadata !== undefined || event.promptFeedback !== undefined;
  const [given] = listOf(candidates);
  if (!isObject(given)) return Array.isArray(candidates) && candidates.length === 0;
  const parts = partOf(given.content, 'parts');
  return given.content === undefined || isObject(given.content)
    ? parts === undefined || Array.isArray(parts)
    : false;
}

interface PartInPieces {
  first: Json;
  texts: string[];
}

/** Pieces of one text are joined; a part with a signature or anything else stays what it is. */
function takePart(part: Json, parts: PartInPieces[]): void {
  const last = parts.at(-1);
  if (last !== undefined && isPlain(last.first) && isPlain(part) && thoughtOf(last.first) === thoughtOf(part))
    last.texts.push(textIn(part, 'text'));
  else parts.push({ first: part, texts: [textIn(part, 'text')] });
}

function isPlain(part: Json): boolean {
  if (!isObject(part) || typeof part.text !== 'string') return false;
  return Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

function thoughtOf(part: Json): boolean {
  return partOf(part, 'thought') === true;
}

function joined({ first, texts }: PartInPieces): Json {
  return isObject(first) && isPlain(first) ? { ...first, text: texts.join('') } : first;
}

export function generatedDelta(event: Json): ModelDelta | null {
  const parts = listOf(partOf(partOf(listOf(partOf(event, 'candidates'))[0], 'content'), 'parts'));
  const [first = null] = parts;
  const text = parts
    .filter((part) => thoughtOf(part) === thoughtOf(first))
    .map((part) => textIn(part, 'text'))
    .join('');
  return text === '' ? null : { kind: thoughtOf(first) ? 'reasoning' : 'content', text };
}
