import { z } from 'zod';
import { jsonSchema } from '../json.js';

/** What a verdict opens or continues, as its playbook declares it; written in the verdict's transaction. S3-42. */
export const sessionEffectSchema = z.object({
  kind: z.literal('session'),
  /** The session, where alerts share one; null: it is known by its run. */
  sessionId: z.uuid().nullable(),
  /** The sender's id of the conversation that its alerts belong to. */
  conversation: z.string().max(200).nullable(),
  action: z.string().max(100),
  stage: z.string().min(1).max(100),
  category: z.string().nullable(),
  /** 0..1. */
  confidence: z.number().min(0).max(1),
  redFlags: jsonSchema,
});

/** What a verdict does beyond being said. */
export type VerdictEffect = z.infer<typeof sessionEffectSchema>;

const messageSchema = sessionEffectSchema.omit({ kind: true, sessionId: true, conversation: true }).extend({
  runId: z.string(),
  caseId: z.string(),
  at: z.string(),
});
export type SessionMessage = z.infer<typeof messageSchema>;

/** An engagement session as its newest message left it. S3-45, S3-46. */
export const engagementSessionSchema = messageSchema.omit({ runId: true, at: true }).extend({
  /** Of the session: the run that opened it, or one id for a whole conversation. */
  id: z.string(),
  conversation: z.string().nullable(),
  /** `closed` once it was closed; until then `continued` after the first message, else as the verdict said. */
  stage: z.string(),
  /** How many messages it has had. */
  messages: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullable(),
});
export type EngagementSession = z.infer<typeof engagementSessionSchema>;

/** With its newest messages, at most `SESSION_HISTORY`, newest first. */
export const engagementDetailsSchema = engagementSessionSchema.extend({ history: z.array(messageSchema) });
export type EngagementDetails = z.infer<typeof engagementDetailsSchema>;
export const SESSION_HISTORY = 100;
/** The stage of a session after its first message. */
export const CONTINUED = 'continued';

export const engagementListSchema = z.object({
  engagements: z.array(engagementSessionSchema),
  nextCursor: z.string().nullable(),
});
export type EngagementList = z.infer<typeof engagementListSchema>;

export const engagementQuerySchema = z.strictObject({
  state: z.enum(['open', 'closed'], { error: 'expected open or closed' }).optional(),
  conversation: z.string().min(1).max(200).optional(),
  cursor: z.string().max(1_000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type EngagementQuery = z.infer<typeof engagementQuerySchema>;

/** Sessions are written with their verdicts, in lanes with an outward effect; here they are read and closed. */
export interface EngagementSessions {
  get(id: string): Promise<EngagementDetails | null>;
  /** The session whose newest message came last is first. @throws InvalidInput for a cursor of nobody's. */
  find(query: EngagementQuery): Promise<EngagementList>;
  /** Closes it; a later message of its conversation opens it again. @returns null where there is none of this id. */
  close(id: string): Promise<EngagementDetails | null>;
}

/** A message of a session as a store keeps it. */
export interface SessionRow extends SessionMessage {
  sessionId: string;
  conversation: string | null;
  closedAt: string | null;
}

/** The session that its messages make, newest first. @param messages how many there are, shown or not. */
export function sessionOfRows(
  rows: readonly SessionRow[],
  messages: number,
  createdAt: string,
): EngagementDetails {
  const history = rows.map(({ sessionId: _, conversation: _c, closedAt: _a, ...message }) => message);
  const newest = rows[0];
  if (newest === undefined) throw new Error('a session has at least one message');
  const { sessionId: id, runId: _r, at: updatedAt, stage: said, ...rest } = newest;
  const stage = newest.closedAt !== null ? 'closed' : messages > 1 ? CONTINUED : said;
  return { ...rest, id, stage, messages, createdAt, updatedAt, history };
}
