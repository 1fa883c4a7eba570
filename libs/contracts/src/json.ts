import { z } from 'zod';

/** Any JSON value. What came from outside is kept as this until a schema has looked at it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * A JSON value as it is: what `JSON.parse` made is JSON, so it is not walked again (zod's own walks it with a schema of
 * seven branches a value).
 */
export const jsonSchema: z.ZodType<Json> = z
  .unknown()
  .refine((value) => value !== undefined, 'expected a JSON value')
  .describe('Any JSON value.') as unknown as z.ZodType<Json>;
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema);

/**
 * The value of a key that came from outside. A plain look-up finds members of Object too: `constructor` of an empty
 * object is a function.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
