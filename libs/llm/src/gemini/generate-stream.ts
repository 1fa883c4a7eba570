import type { Json, JsonObject, ModelDelta } from '@casefile/contracts';
import { isObject, listOf, partOf, textIn } from '../json-parts.js';
import { mergeFields } from '../merge-fields.js';
import type { Assembled } from '../reading.js';

/** What every chunk has anew, beside its candidate. */
const CHANGING = ['usageMetadata', 'responseId', 'createTime'];

/** Puts streamed chunks together: each is an answer of its own with the parts that are new. */
export function assembleGenerated(events: Json[]): Assembled {
  const head: JsonObject = {};
  const candidate: JsonObject = {};
  const parts: PartInPieces[] = [];
  const unread = events.filter((event) => {
    if (!isObject(event)) return true;
    const { candidates = null, ...rest } = event;
    const headKept = mergeFields(head, rest, CHANGING);
    const given = listOf(candidates)[0] ?? null;
    if (!isObject(given)) return given !== null || !headKept || !(candidates === null || isEmpty(candidates));
    const { content = null, ...about } = given;
    for (const part of listOf(partOf(content, 'parts'))) takePart(part, parts);
    return !isContent(content) || !mergeFields(candidate, about, ['index']) || !headKept;
  });
  const finished = textIn(candidate, 'finishReason') !== '';
  const blocked = textIn(head.promptFeedback, 'blockReason') !== '';
  if (Object.keys(candidate).length === 0 && parts.length === 0)
    return { body: head, ended: blocked, unread };
  const content = { role: 'model', parts: parts.map(joined) };
  return { body: { ...head, candidates: [{ ...candidate, content }] }, ended: finished, unread };
}

function isEmpty(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A list of parts and a role, or nothing (the last chunk may bring none). */
function isContent(content: Json): boolean {
  if (content === null) return true;
  if (!isObject(content)) return false;
  const { parts = [], role: _role, ...odd } = content;
  return Array.isArray(parts) && Object.keys(odd).length === 0;
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
