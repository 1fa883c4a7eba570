import { z } from 'zod';
import { ROLES, type Role } from './caller.js';

/** Time without a request after which a sign-in session ends, and its longest duration. In hours. */
export const SESSION_HOURS = { idle: 8, total: 24 } as const;

/** Ways in which a person signs in: by an OIDC provider, or with a personal key. */
export const SESSION_SOURCES = ['oidc', 'key'] as const;
export type SessionSource = (typeof SESSION_SOURCES)[number];

/** A person who has signed in. */
export interface SignedInPerson {
  source: SessionSource;
  /** Stable id at the source: `sub` of the provider, or the id of the key. */
  subject: string;
  /** Name for the audit log. */
  name: string;
  role: Role;
  /** Groups that have a role, as the provider named them at the sign-in. */
  groups: readonly string[];
}

/** One sign-in session, as the console lists it. */
export const shownSessionSchema = z.object({
  id: z.string().describe('Id by which the session is revoked. It is no secret.'),
  source: z.enum(SESSION_SOURCES),
  subject: z.string().describe('Id of the person at the provider, or id of the key.'),
  name: z.string(),
  role: z.enum(ROLES).describe('Role at the sign-in.'),
  groups: z.array(z.string()),
  createdAt: z.string(),
  lastSeenAt: z.string().describe('Time of the last request, exact to one minute.'),
  expiresAt: z
    .string()
    .describe('The session ends at this time, or earlier after 8 hours without a request.'),
  userAgent: z.string(),
});
export type ShownSession = z.infer<typeof shownSessionSchema>;

/** `GET /sessions`. */
export const sessionListSchema = z.object({
  sessions: z.array(shownSessionSchema),
  nextCursor: z.string().nullable(),
});

/** `POST /sessions/{id}/revoke`. */
export const revokeSessionSchema = z.strictObject({
  by: z.string().trim().min(1).max(200).optional(),
  reason: z.string().trim().max(2_000).optional(),
});

/** `GET /auth/session`: who is signed in, and how a person can sign in. */
export const signInStateSchema = z.object({
  required: z.boolean().describe('Whether the API requires a proof.'),
  person: z
    .object({ name: z.string(), role: z.enum(ROLES), source: z.enum(SESSION_SOURCES) })
    .nullable()
    .describe('null: no person is signed in by a session.'),
  ways: z.array(z.enum(SESSION_SOURCES)),
});
export type SignInState = z.infer<typeof signInStateSchema>;
