import { isObject, type Json } from '@casefile/contracts';
import { partOf, textIn } from './json-parts.js';

/** Types of parts that hold reasoning, in any protocol: `thinking`, `reasoning_text`, `thought`, ... */
const THOUGHT_TYPE = /think|thought|reason/i;
/** Keys of a part, or of a field, that hold its text. */
const TEXT_KEYS = [
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reasoning_content',
  'text',
  'content',
  'summary',
  'value',
];
const MOST_LEVELS = 4;

/** Returns whether a message part, in any protocol, is reasoning rather than answer. */
export function isThoughtPart(part: Json): boolean {
  if (!isObject(part)) return false;
  if (part['thought'] === true) return true;
  const type = textIn(part, 'type');
  if (type !== '') return THOUGHT_TYPE.test(type);
  // The kind of a part without a type follows from its only key.
  return ['thinking', 'thought', 'reasoning'].some((key) => thoughtText(partOf(part, key)) !== '');
}

/** Returns reasoning text from a text, a list of parts, or an object around either. */
export function thoughtText(value: Json | undefined, level = 0): string {
  if (typeof value === 'string') return value;
  if (level > MOST_LEVELS) return '';
  if (Array.isArray(value))
    return value
      .map((item) => thoughtText(item, level + 1))
      .filter((text) => text.trim() !== '')
      .join('\n\n');
  if (!isObject(value)) return '';
  for (const key of TEXT_KEYS) {
    const text = thoughtText(partOf(value, key), level + 1);
    if (text.trim() !== '') return text;
  }
  return '';
}
