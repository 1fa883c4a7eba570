import type { Json, ModelReasoning, ModelToolCall, ModelUsage } from '@casefile/contracts';
import { countIn, countSum, isObject, listOf, partOf, textIn } from '../json-parts.js';
import { argumentsOf } from '../reading.js';
import type { Reading } from '../reading.js';

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
    items: parts.some((part) => signatureOf(part) !== '' || isThought(part)) ? parts : null,
    unread: found.unread,
  };
}

function readPart(
  part: Json,
  index: number,
  found: { text: string[]; calls: ModelToolCall[]; unread: string[] },
): void {
  if (isThought(part)) return;
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

function isThought(part: Json): boolean {
  return partOf(part, 'thought') === true;
}

function signatureOf(part: Json): string {
  return textIn(part, 'thoughtSignature') || textIn(part, 'thought_signature');
}

/** Thought parts are summaries; a signature alone says that there was something to be signed. */
function readThoughts(parts: Json[]): ModelReasoning | null {
  const content = parts
    .filter(isThought)
    .map((part) => textIn(part, 'text'))
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
