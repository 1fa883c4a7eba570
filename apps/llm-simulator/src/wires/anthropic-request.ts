import { jsonObjectSchema, jsonSchema, z } from '@casefile/contracts';

const textOrBlocks = z.union([z.string(), z.array(jsonObjectSchema)]);
const messageSchema = z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: textOrBlocks });
export type AnthropicMessage = z.infer<typeof messageSchema>;
/** A request to `POST /v1/messages`. */
export const requestSchema = z.looseObject({
  model: z.string(),
  max_tokens: z.number().int().min(1),
  messages: z.array(messageSchema).min(1),
  system: textOrBlocks.nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  thinking: jsonObjectSchema.nullish(),
  output_config: jsonObjectSchema.nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: jsonObjectSchema.optional() })).nullish(),
  metadata: jsonSchema.optional(),
});
export type AnthropicRequest = z.infer<typeof requestSchema>;
