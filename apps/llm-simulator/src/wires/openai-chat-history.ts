import type { ChatMessage } from './openai-chat.js';
import { refusal } from './wire.js';
import type { WireContext } from './wire.js';

/** @throws a refusal for a history that no server of chat completions takes. */
export function checkChatHistory(messages: ChatMessage[], context: WireContext): void {
  messages.forEach((message, index) => {
    if (message.role === 'tool') checkAnswersCall(messages, index);
    if (message.tool_calls?.length) checkIsAnswered(messages, index);
  });
  if (context.script.chat.requireReasoning) checkReasoning(messages, context);
}

function checkAnswersCall(messages: ChatMessage[], index: number): void {
  const id = messages[index]?.tool_call_id;
  const asking = messages.slice(0, index).findLast(({ role }) => role !== 'tool');
  if (asking?.tool_calls?.some((call) => call.id === id)) return;
  throw refusal(
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    { param: `messages.[${index}].role` },
  );
}

function checkIsAnswered(messages: ChatMessage[], index: number): void {
  const rest = messages.slice(index + 1);
  const next = rest.findIndex(({ role }) => role !== 'tool');
  const answered = (next === -1 ? rest : rest.slice(0, next)).map((message) => message.tool_call_id);
  const open = (messages[index]?.tool_calls ?? []).filter(({ id }) => !answered.includes(id));
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id).join(', ');
  throw refusal(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
    { param: `messages.[${index + 1}].role` },
  );
}

/** As DeepSeek in thinking mode: tool turns since the last question come back with the reasoning they came with. */
function checkReasoning(messages: ChatMessage[], { memory }: WireContext): void {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  messages.forEach((message, index) => {
    if (index < asked || !message.tool_calls?.length) return;
    const { reasoning_content: reasoning } = message;
    const changed = message.tool_calls.some(
      ({ id }) => typeof reasoning === 'string' && memory.contradicts(`openai-chat/${id}`, reasoning),
    );
    if (typeof reasoning === 'string' && !changed) return;
    const what = changed ? 'Changed' : 'Missing';
    throw refusal(`${what} \`reasoning_content\` field in the assistant message at message index ${index}.`);
  });
}
