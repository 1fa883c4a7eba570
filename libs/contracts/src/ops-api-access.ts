import { z } from 'zod';
import { ROLES, SCOPES } from './access/caller.js';
import { timeSchema } from './times.js';

const names = z.array(z.string().min(1).max(100)).min(1).max(100);

/** Limits of a key with the scope `intake`. A missing field does not limit. */
export const intakeLimitsSchema = z.strictObject({
  kinds: names.optional().describe('Kinds of case that its alerts may open or join.'),
  sources: names.optional().describe('Sources that its alerts may name.'),
  lanes: z
    .array(z.enum(['live', 'batch']))
    .min(1)
    .max(2)
    .optional(),
  dailyUsd: z
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe('Most that the runs of its alerts of one UTC day may cost, in US dollars.'),
});

/** Name of a key: of the person or the program that uses it. */
export const keyNameSchema = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,98}$/u, 'expected 1 to 99 letters, digits, spaces and . _ @ -');

/** A key without its secret. */
export const accessKeySchema = z.object({
  id: z.string().describe('The part of the key after `cf_`, which is no secret.'),
  name: z.string(),
  role: z.enum(ROLES).nullable().describe('null: the key of a program, which has scopes.'),
  scopes: z.array(z.enum(SCOPES)),
  limits: intakeLimitsSchema.nullable(),
  perMinute: z.int().nullable().describe('Requests per minute and service; null: no limit.'),
  expiresAt: z.string().nullable(),
  createdBy: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable().describe('Noted at most once a minute.'),
  revokedAt: z.string().nullable(),
  rotatedFrom: z.string().nullable().describe('Id of the key that it replaces.'),
  replacedBy: z.string().nullable().describe('Id of the key that replaces it.'),
  overlapUntil: z.string().nullable().describe('Until when a replaced key is still valid.'),
});
export type AccessKey = z.infer<typeof accessKeySchema>;

/** `GET /keys`. */
export const accessKeyListSchema = z.object({ keys: z.array(accessKeySchema) });

/** A new key with the secret, which is shown once. */
export const createdKeySchema = accessKeySchema.extend({
  key: z.string().describe('The whole key. It is not stored and cannot be shown again.'),
});
export type CreatedKey = z.infer<typeof createdKeySchema>;

const act = {
  by: z.string().min(1).max(100),
  reason: z.string().max(1_000).default(''),
  actId: z.string().min(1).max(200).optional().describe('Id of the act. Default: a new one.'),
};

/** `POST /keys`. */
export const createKeySchema = z
  .strictObject({
    name: keyNameSchema,
    role: z.enum(ROLES).optional(),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional(),
    limits: intakeLimitsSchema.optional(),
    perMinute: z.int().min(1).max(1_000_000).optional(),
    expiresAt: timeSchema.optional(),
    ...act,
  })
  .refine(({ role, scopes }) => (role === undefined) !== (scopes === undefined), {
    error: 'expected either a role or scopes',
    path: ['role'],
  })
  .refine(({ limits, scopes }) => limits === undefined || scopes?.includes('intake') === true, {
    error: 'only a key with the scope intake has limits',
    path: ['limits'],
  });
export type CreateKey = z.infer<typeof createKeySchema>;

/** Longest overlap of a rotation, in minutes. */
const MOST_OVERLAP = 30 * 24 * 60;

/** `POST /keys/{id}/rotate`. */
export const rotateKeySchema = z.strictObject({
  overlapMinutes: z
    .int()
    .min(0)
    .max(MOST_OVERLAP)
    .default(24 * 60)
    .describe('How long the replaced key stays valid.'),
  expiresAt: timeSchema.optional().describe('Expiry of the new key. Default: as the replaced one.'),
  ...act,
});
export type RotateKey = z.infer<typeof rotateKeySchema>;

/** `POST /keys/{id}/revoke`. */
export const revokeKeySchema = z.strictObject(act);

/** `GET /me`: the caller of the request. */
export const meSchema = z.object({
  name: z.string().describe('Empty: this installation requires no proof.'),
  proof: z.enum(['none', 'key', 'session']),
  role: z.enum(ROLES).nullable(),
});
export type Me = z.infer<typeof meSchema>;
