import type { JsonObject } from '@casefile/contracts';
import { pieces } from '../pieces.js';
import { isObject, objectsIn, wordOf } from './text-of-content.js';
import { namedEvent } from './wire.js';

/** A message as the events that build it up. */
export function messageEvents(message: JsonObject): string[] {
  const { stop_reason, stop_sequence, stop_details, usage } = message;
  const counted = isObject(usage) ? usage : {};
  const begun = { ...message, content: [], stop_reason: null, stop_details: null };
  const delta = { stop_reason, stop_sequence, stop_details, container: null } as JsonObject;
  return [
    namedEvent('message_start', { message: { ...begun, usage: { ...counted, output_tokens: 1 } } }),
    namedEvent('ping', {}),
    ...objectsIn(message.content).flatMap(blockEvents),
    namedEvent('message_delta', { delta, usage: counted }),
    namedEvent('message_stop', {}),
  ];
}

function blockEvents(block: JsonObject, index: number): string[] {
  const { begun, deltas } = unfolded(block);
  return [
    namedEvent('content_block_start', { index, content_block: begun }),
    ...deltas.map((delta) => namedEvent('content_block_delta', { index, delta })),
    namedEvent('content_block_stop', { index }),
  ];
}

/** A block as it is announced, and the deltas that fill it. */
function unfolded(block: JsonObject): { begun: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case 'thinking':
      return {
        begun: { ...block, thinking: '', signature: '' },
        deltas: [
          ...pieces(wordOf(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature ?? '' },
        ],
      };
    case 'text':
      return {
        begun: { ...block, text: '' },
        deltas: pieces(wordOf(block.text)).map((text) => ({ type: 'text_delta', text })),
      };
    case 'tool_use':
      return {
        begun: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block.input)).map((partial_json) => {
          return { type: 'input_json_delta', partial_json };
        }),
      };
    default:
      return { begun: block, deltas: [] };
  }
}
