import { jsonObjectSchema, z } from '@casefile/contracts';

/** One message of a request to `generateContent`. */
export const contentSchema = z.looseObject({
  role: z.enum(['user', 'model', 'function']).optional(),
  parts: z.array(jsonObjectSchema).min(1),
});
export type GeminiContent = z.infer<typeof contentSchema>;
