import { jsonObjectSchema, jsonSchema, parseInput, z } from '@casefile/contracts';
import type { Json, JsonObject } from '@casefile/contracts';

const messageSchema = z.looseObject({ role: z.string(), content: jsonSchema.optional() });
const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), parameters: jsonObjectSchema.optional() }),
});
const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: jsonSchema.optional(),
  response_format: z.looseObject({ type: z.string(), json_schema: jsonObjectSchema.optional() }).nullish(),
});
export type ChatRequest = z.infer<typeof requestSchema>;

/** @throws InvalidInput that names every wrong field. */
export const readChatRequest = (body: JsonObject): ChatRequest => parseInput(requestSchema, body, 'request');

/** The text of all messages of these roles. */
export function textOf(request: ChatRequest, ...roles: string[]): string {
  const messages = request.messages.filter((message) => roles.includes(message.role));
  return messages.map((message) => contentText(message.content)).join('\n');
}

/** The JSON Schema that the answer should have, if one was sent. */
export function schemaOf(request: ChatRequest): JsonObject | undefined {
  const schema = request.response_format?.json_schema?.schema;
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : undefined;
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isText(part) ? part.text : '')).join('');
}

function isText(part: Json): part is { text: string } {
  return typeof part === 'object' && part !== null && !Array.isArray(part) && typeof part.text === 'string';
}
