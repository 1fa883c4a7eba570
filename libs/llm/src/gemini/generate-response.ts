import {
  isObject,
  type Json,
  type ModelReasoning,
  type ModelToolCall,
  type ModelUsage,
  type JsonObject,
  type ModelDelta,
} from '@casefile/contracts';
import {
  areCounts,
  contentParts,
  countIn,
  countSum,
  listOf,
  partOf,
  textIn,
  mergeFields,
} from '../json-parts.js';
import { readArguments, type Reading, type AssembledAnswer } from '../reading.js';
import { isThoughtPart, thoughtText } from '../thought-parts.js';

const FILTERED = [
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
  'IMAGE_SAFETY',
];

/** Reads a generateContent answer. Returns null if the body is not one. */
export function readGenerated(body: Json): Reading | null {
  const blocked = textIn(partOf(body, 'promptFeedback'), 'blockReason');
  const candidates = partOf(body, 'candidates');
  if (!Array.isArray(candidates) && blocked === '' && !isObject(partOf(body, 'usageMetadata'))) return null;
  const candidate = listOf(candidates)[0] ?? null;
  const parts = contentParts(partOf(partOf(candidate, 'content'), 'parts'));
  const readParts = { text: [] as string[], calls: [] as ModelToolCall[], unread: [] as string[] };
  parts.forEach((part, index) => readPart(part, index, readParts));
  return {
    model: textIn(body, 'modelVersion'),
    text: readParts.text.join(''),
    reasoning: () => readThoughts(parts),
    toolCalls: readParts.calls,
    finishReason:
      blocked === '' ? reasonFinish(textIn(candidate, 'finishReason'), readParts.calls) : 'content_filter',
    usage: readUsage(partOf(body, 'usageMetadata')),
    refusal: blocked === '' ? '' : `the prompt is blocked: ${blocked}`,
    // Gemini 3 refuses the next call if a signature is missing. Each signature stays in the part it arrived
    // in.
    items: parts.some((part) => signatureOf(part) !== '' || isThoughtPart(part)) ? parts : null,
    unread: readParts.unread,
  };
}

function readPart(
  part: Json,
  index: number,
  parts: { text: string[]; calls: ModelToolCall[]; unread: string[] },
): void {
  if (isThoughtPart(part)) return;
  const call = partOf(part, 'functionCall');
  const name = textIn(call, 'name');
  const text = partOf(part, 'text');
  if (name !== '')
    parts.calls.push({
      id: textIn(call, 'id'),
      name,
      args: readArguments(partOf(call, 'args')),
    });
  else if (typeof text === 'string') parts.text.push(text);
  // A signature may arrive in a separate part.
  else if (signatureOf(part) === '') parts.unread.push(`parts[${index}] ${keysOf(part)}`.trim());
}

function keysOf(part: Json): string {
  return isObject(part) ? Object.keys(part).join(',').slice(0, 100) : typeof part;
}

function signatureOf(part: Json): string {
  return textIn(part, 'thoughtSignature') || textIn(part, 'thought_signature');
}

/** Thought parts are summaries. A signature without them only shows that there was something to sign. */
function readThoughts(parts: Json[]): ModelReasoning | null {
  const content = parts
    .filter(isThoughtPart)
    .map((part) => textIn(part, 'text') || thoughtText(part))
    .join('')
    .trim();
  if (content !== '') return { content, kind: 'summary', source: 'thought' };
  const signed = parts.some((part) => signatureOf(part) !== '');
  return signed ? { content: '', kind: 'encrypted', source: 'thoughtSignature' } : null;
}

function reasonFinish(reason: string, calls: ModelToolCall[]): string {
  if (FILTERED.includes(reason)) return 'content_filter';
  if (reason === 'MAX_TOKENS') return 'length';
  if (reason === 'STOP') return calls.length > 0 ? 'tool_calls' : 'stop';
  return reason.toLowerCase() || 'unknown';
}

/** Gemini counts thoughts separately from the answer, and tool input separately from the prompt. */
function readUsage(usage: Json | undefined): ModelUsage | null {
  if (!areCounts(usage, ['promptTokenCount', 'candidatesTokenCount'])) return null;
  const reasoningTokens = countIn(usage, 'thoughtsTokenCount');
  return {
    inputTokens: countSum(countIn(usage, 'promptTokenCount'), countIn(usage, 'toolUsePromptTokenCount')),
    outputTokens: countSum(countIn(usage, 'candidatesTokenCount'), reasoningTokens),
    reasoningTokens,
    cachedTokens: countIn(usage, 'cachedContentTokenCount'),
  };
}

/** Fields that every chunk repeats with new values, in addition to its candidate. */
const CHANGING = ['usageMetadata', 'responseId', 'createTime'];

/** Assembles streamed chunks. Each chunk is a complete answer that contains only the new parts. */
export function assembleGenerated(events: Json[]): AssembledAnswer {
  const head: JsonObject = {};
  const candidate: JsonObject = {};
  const parts: PartInPieces[] = [];
  const unread = events.filter((event) => {
    if (!isObject(event)) return true;
    const { candidates = null, ...rest } = event;
    const headKept = mergeFields(head, rest, CHANGING);
    const firstCandidate = listOf(candidates)[0] ?? null;
    if (!isObject(firstCandidate))
      return firstCandidate !== null || !headKept || !(candidates === null || isEmpty(candidates));
    const { content = null, ...about } = firstCandidate;
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

/** A list of parts and a role, or nothing (the last chunk may contain nothing). */
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

/** Joins pieces of one text. A part with a signature or anything else is kept unchanged. */
function takePart(part: Json, parts: PartInPieces[]): void {
  const last = parts.at(-1);
  if (
    last !== undefined &&
    isPlain(last.first) &&
    isPlain(part) &&
    isThoughtPart(last.first) === isThoughtPart(part)
  )
    last.texts.push(textIn(part, 'text'));
  else parts.push({ first: part, texts: [textIn(part, 'text')] });
}

function isPlain(part: Json): boolean {
  if (!isObject(part) || typeof part.text !== 'string') return false;
  return Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

function joined({ first, texts }: PartInPieces): Json {
  return isObject(first) && isPlain(first) ? { ...first, text: texts.join('') } : first;
}

export function generatedDelta(event: Json): ModelDelta | null {
  const parts = listOf(partOf(partOf(listOf(partOf(event, 'candidates'))[0], 'content'), 'parts'));
  const [first = null] = parts;
  const text = parts
    .filter((part) => isThoughtPart(part) === isThoughtPart(first))
    .map((part) => textIn(part, 'text'))
    .join('');
  return text === '' ? null : { kind: isThoughtPart(first) ? 'reasoning' : 'content', text };
}
