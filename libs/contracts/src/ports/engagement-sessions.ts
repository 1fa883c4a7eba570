import { z } from 'zod';
import { personal, withheldSchema } from '../access/field-class.js';
import { jsonSchema } from '../json.js';

/**
 * The engagement session that a verdict opens or continues, as its playbook declares it. It is written in the
 * transaction of the verdict.
 */
export const sessionEffectSchema = z.object({
  kind: z.literal('session'),
  /** The session id, if several alerts share a session. null: the run id identifies the session. */
  sessionId: z.uuid().nullable(),
  /** The sender's id of the conversation. */
  conversation: z.string().max(200).nullable(),
  action: z.string().max(100),
  stage: z.string().min(1).max(100),
  category: personal(z.string().nullable()),
  /** 0..1. */
  confidence: z.number().min(0).max(1),
  redFlags: personal(jsonSchema),
});

/** A side effect of a verdict, besides its delivery. */
export type VerdictEffect = z.infer<typeof sessionEffectSchema>;

const messageSchema = sessionEffectSchema.omit({ kind: true, sessionId: true, conversation: true }).extend({
  runId: z.string(),
  caseId: z.string(),
  at: z.string(),
});
export type SessionMessage = z.infer<typeof messageSchema>;

/** The state of an engagement session after its newest message. */
export const engagementSessionSchema = messageSchema.omit({ runId: true, at: true }).extend({
  /** The run that opened the session, or a shared id per conversation. */
  id: z.string(),
  conversation: personal(z.string().nullable()),
  /** `closed` after closing; `continued` after the second message; else the stage that the verdict set. */
  stage: z.string(),
  /** Number of messages. */
  messages: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullable(),
});
export type EngagementSession = z.infer<typeof engagementSessionSchema>;

/** A session with its newest messages (at most `SESSION_HISTORY`), newest first. */
export const engagementDetailsSchema = engagementSessionSchema.extend({
  withheld: withheldSchema,
  history: z.array(messageSchema),
});
export type EngagementDetails = z.infer<typeof engagementDetailsSchema>;
export const SESSION_HISTORY = 100;
/** The stage of a session after its first message. */
export const CONTINUED = 'continued';

export const engagementListSchema = z.object({
  withheld: withheldSchema,
  engagements: z.array(engagementSessionSchema),
  nextCursor: z.string().nullable(),
});
export type EngagementList = z.infer<typeof engagementListSchema>;

export const engagementQuerySchema = z.strictObject({
  state: z.enum(['open', 'closed'], { error: 'expected open or closed' }).optional(),
  conversation: personal(z.string().min(1).max(200)).optional(),
  cursor: z.string().max(1_000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type EngagementQuery = z.infer<typeof engagementQuerySchema>;

/**
 * Reads and closes sessions. Sessions are written together with their verdicts, in lanes with an outward
 * effect.
 */
export interface EngagementSessions {
  get(id: string): Promise<EngagementDetails | null>;
  /**
   * Returns a page of sessions, the most recently active first.
   * @throws InvalidInput for a cursor that this store did not create.
   */
  find(query: EngagementQuery): Promise<EngagementList>;
  /**
   * Closes a session. A later message of its conversation opens it again.
   * @returns null if there is no such session.
   */
  close(id: string): Promise<EngagementDetails | null>;
}

/** A message of a session in the form that a store keeps. */
export interface SessionRow extends SessionMessage {
  sessionId: string;
  conversation: string | null;
  closedAt: string | null;
}

/**
 * Returns the session for these rows, newest first.
 * @param messages the total number of messages, including messages not in `rows`.
 */
export function sessionOfRows(
  rows: readonly SessionRow[],
  messages: number,
  createdAt: string,
): EngagementDetails {
  const history = rows.map(({ sessionId: _, conversation: _c, closedAt: _a, ...message }) => message);
  const newest = rows[0];
  if (newest === undefined) throw new Error('a session has at least one message');
  const { sessionId: id, runId: _r, at: updatedAt, stage: newestStage, ...rest } = newest;
  const stage = newest.closedAt !== null ? 'closed' : messages > 1 ? CONTINUED : newestStage;
  return { ...rest, id, stage, messages, createdAt, updatedAt, history };
}
