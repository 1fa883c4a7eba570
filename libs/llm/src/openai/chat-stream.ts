import type { Json, JsonObject, ModelDelta } from '@casefile/contracts';
import { isObject, listOf, partOf, textIn } from '../json-parts.js';
import { mergeFields } from '../merge-fields.js';
import type { Assembled } from '../reading.js';
import { REASONING_FIELDS } from './chat-fields.js';
import { MessageInPieces } from './chat-pieces.js';

/** What every chunk has anew, beside its choice. */
const CHANGING = ['id', 'object', 'created', 'usage', 'obfuscation', 'system_fingerprint', 'x_groq'];

/** Puts a streamed chat completion together. */
export function assembleChat(events: Json[]): Assembled {
  const message = new MessageInPieces();
  const head: JsonObject = {};
  let finish: string | null = null;
  const unread = events.filter((event) => {
    if (!isObject(event)) return true;
    const { choices = null, ...rest } = event;
    const headKept = mergeFields(head, rest, CHANGING);
    const choice = listOf(choices)[0] ?? null;
    finish = textIn(choice, 'finish_reason') || finish;
    // Some servers end a stream with a whole message in place of a delta.
    const delta = partOf(choice, 'delta') ?? partOf(choice, 'message') ?? null;
    if (isObject(delta)) return !message.take(delta) || !headKept;
    // Without a choice it is a report on usage, or of a filter.
    return choice !== null || !headKept || !(choices === null || Array.isArray(choices));
  });
  const choices = [{ index: 0, message: message.joined(), finish_reason: finish }];
  return { body: { ...head, choices }, ended: finish !== null, unread };
}

export function chatDelta(event: Json): ModelDelta | null {
  const delta = partOf(listOf(partOf(event, 'choices'))[0], 'delta');
  const content = textIn(delta, 'content');
  if (content !== '') return { kind: 'content', text: content };
  const reasoning = REASONING_FIELDS.map((field) => textIn(delta, field)).find((text) => text !== '');
  return reasoning === undefined ? null : { kind: 'reasoning', text: reasoning };
}
