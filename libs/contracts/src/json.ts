import { z } from 'zod';

/** Any JSON value. What came from outside is kept as this until a schema has looked at it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const jsonSchema: z.ZodType<Json> = z.json() as unknown as z.ZodType<Json>;
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema);
