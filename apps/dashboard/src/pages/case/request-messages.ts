import { t } from '../../strings/text.js';
import type { Json, JsonObject } from '@casefile/contracts';

export interface RequestMessage {
  role: string;
  text: string;
}

/** Returns the messages of a recorded request as text. A request of another shape is shown as JSON. */
export function requestMessages(request: JsonObject): RequestMessage[] {
  const messages = request['messages'];
  if (!Array.isArray(messages)) return [{ role: 'request', text: JSON.stringify(request, null, 2) }];
  return messages.map(requestMessage);
}

function requestMessage(message: Json): RequestMessage {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return { role: 'message', text: contentText(message) };
  const { role, content, toolCalls, toolCallId } = message;
  const parts = [
    contentText(content),
    toolCalls === undefined ? '' : t('case.calls', { toolCalls: JSON.stringify(toolCalls, null, 2) }),
  ];
  const name = typeof role === 'string' ? role : 'message';
  return {
    role: typeof toolCallId === 'string' ? `${name} ${toolCallId}` : name,
    text: parts.filter((part) => part !== '').join('\n\n'),
  };
}

function contentText(content: Json | undefined): string {
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : JSON.stringify(content, null, 2);
}
