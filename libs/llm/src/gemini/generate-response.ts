import {
  isObject,
  type Json,
  type ModelReasoning,
  type ModelToolCall,
  type ModelUsage,
  type JsonObject,
  type ModelDelta,
} from '@casefile/contracts';
import { countIn, countSum, listOf, partOf, textIn, mergeFields } from '../json-parts.js';
import { argumentsOf, type Reading, type Assembled } from '../reading.js';
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

/** Reads an answer of generateContent. null: it is none. */
export function readGenerated(body: Json): Reading | null {
  const blocked = textIn(partOf(body, 'promptFeedback'), 'blockReason');
  const candidates = partOf(body, 'candidates');
  if (!Array.isArray(candidates) && blocked === '' && !isObject(partOf(body, 'usageMetadata'))) return null;
  const candidate = listOf(candidates)[0] ?? null;
  const parts = listOf(partOf(partOf(candidate, 'content'), 'parts'));
  const found = { text: [] as string[], calls: [] as ModelToolCall[], unread: [] as string[] };
  parts.forEach((part, index) => readPart(part, index, found));
  return {
    model: textIn(body, 'modelVersion'),
    text: found.text.join(''),
    reasoning: () => readThoughts(parts),
    toolCalls: found.calls,
    finishReason:
      blocked === '' ? finishOf(textIn(candidate, 'finishReason'), found.calls) : 'content_filter',
    usage: readUsage(partOf(body, 'usageMetadata')),
    refusal: blocked === '' ? '' : `the prompt is blocked: ${blocked}`,
    // Gemini 3 refuses the next call when a signature is missing; each stays in the part it came in.
    items: parts.some((part) => signatureOf(part) !== '' || isThoughtPart(part)) ? parts : null,
    unread: found.unread,
  };
}

function readPart(
  part: Json,
  index: number,
  found: { text: string[]; calls: ModelToolCall[]; unread: string[] },
): void {
  if (isThoughtPart(part)) return;
  const call = partOf(part, 'functionCall');
  const name = textIn(call, 'name');
  const text = partOf(part, 'text');
  if (name !== '')
    found.calls.push({
      id: textIn(call, 'id'),
      name,
      args: argumentsOf(partOf(call, 'args')),
    });
  else if (typeof text === 'string') found.text.push(text);
  // A signature may come in a part of its own.
  else if (signatureOf(part) === '') found.unread.push(`parts[${index}] ${keysOf(part)}`.trim());
}

function keysOf(part: Json): string {
  return isObject(part) ? Object.keys(part).join(',').slice(0, 100) : typeof part;
}

function signatureOf(part: Json): string {
  return textIn(part, 'thoughtSignature') || textIn(part, 'thought_signature');
}

/** Thought parts are summaries; a signature alone says that there was something to be signed. */
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

function finishOf(reason: string, calls: ModelToolCall[]): string {
  if (FILTERED.includes(reason)) return 'content_filter';
  if (reason === 'MAX_TOKENS') return 'length';
  if (reason === 'STOP') return calls.length > 0 ? 'tool_calls' : 'stop';
  return reason.toLowerCase() || 'unknown';
}

/** Thoughts are counted beside the answer here, and the input of tools beside the prompt. */
function readUsage(given: Json | undefined): ModelUsage | null {
  if (!isObject(given)) return null;
  const reasoningTokens = countIn(given, 'thoughtsTokenCount');
  return {
    inputTokens: countSum(countIn(given, 'promptTokenCount'), countIn(given, 'toolUsePromptTokenCount')),
    outputTokens: countSum(countIn(given, 'candidatesTokenCount'), reasoningTokens),
    reasoningTokens,
    cachedTokens: countIn(given, 'cachedContentTokenCount'),
  };
}

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
