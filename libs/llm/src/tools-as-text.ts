import type { ModelMessage, ModelRequest, ModelToolCall } from '@casefile/contracts';

/**
 * Returns a request without tools for a server that has no tool calls. The system message describes the
 * tools, and earlier calls and results stand in the text. The model writes a call in the form that is read
 * from texts.
 */
export function withToolsAsText(request: ModelRequest): ModelRequest {
  const { tools = [], toolChoice, ...rest } = request;
  if (tools.length === 0) return request;
  const list = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  );
  const guide = [
    'You can call tools. To call a tool, write the call in this form, one element for each call:',
    '<tool_call>{"name": "NAME", "arguments": {}}</tool_call>',
    ...(toolChoice === 'required' ? ['Answer with calls of tools and nothing else.'] : []),
    'The tools, with the JSON schemas of their arguments:',
    ...list,
  ].join('\n');
  const [first, ...others] = messagesAsText(request.messages);
  const messages: ModelMessage[] =
    first?.role === 'system'
      ? [{ role: 'system', content: `${first.content}\n\n${guide}` }, ...others]
      : [{ role: 'system', content: guide }, ...(first === undefined ? [] : [first]), ...others];
  return { ...rest, messages };
}

function messagesAsText(messages: readonly ModelMessage[]): ModelMessage[] {
  const names = new Map<string, string>();
  const texts: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      const { content, toolCalls = [] } = message;
      for (const { id, name } of toolCalls) names.set(id, name);
      const parts = [content, ...toolCalls.map(callAsText)].filter((part) => part.trim() !== '');
      texts.push({ role: 'assistant', content: parts.join('\n') });
    } else if (message.role === 'tool') {
      const { toolCallId, content, isError } = message;
      const tool = JSON.stringify(names.get(toolCallId) ?? toolCallId);
      const result = `<tool_response name=${tool}${isError === true ? ' failed="true"' : ''}>\n${content}\n</tool_response>`;
      addUser(texts, result);
    } else if (message.role === 'user') addUser(texts, message.content);
    else texts.push(message);
  }
  return texts;
}

// Results of one turn and the user's next text are one message: many servers refuse two user messages in a
// row.
function addUser(texts: ModelMessage[], content: string): void {
  const last = texts.at(-1);
  if (last?.role === 'user') texts.splice(-1, 1, { role: 'user', content: `${last.content}\n${content}` });
  else texts.push({ role: 'user', content });
}

function callAsText({ name, args }: ModelToolCall): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;
}
