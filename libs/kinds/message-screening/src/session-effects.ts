import { createHash } from 'node:crypto';
import { z, type Brief, type JsonObject, type Verdict, type VerdictEffect } from '@casefile/contracts';

// Messages of one conversation may be judged in any order, and must share one session (S3-45). Its id is
// therefore computed from the conversation, not taken from the first run.
export function sessionData({ conversation }: Brief, runId: string | undefined): JsonObject {
  if (conversation === undefined) return runId === undefined ? {} : { id: runId };
  return {
    id: nameUuid(JSON.stringify([conversation.source, conversation.id])),
    conversation: conversation.id,
  };
}

// Returns a version 8 UUID made of the SHA-256 of the name, so that the same name always gives the same id.
function nameUuid(name: string): string {
  const hex = createHash('sha256').update(`engagement session ${name}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const openingSchema = z.object({
  action: z.enum(['engage', 'probe']),
  engagement: z.object({
    id: z.string().optional(),
    conversation: z.string().optional(),
    stage: z.string(),
    category: z.string().nullable(),
    confidence: z.number(),
    redFlags: z.array(z.string()),
  }),
});

/**
 * Returns the effect of a verdict on sessions: `engage` and `probe` open an engagement session, or continue
 * the session of their conversation (S3-42, S3-45). `ignore` has no effect.
 */
export function sessionEffects({ outcome }: Verdict): VerdictEffect[] {
  const read = openingSchema.safeParse(outcome);
  if (!read.success) return [];
  const { action, engagement } = read.data;
  const { id, conversation = null, ...rest } = engagement;
  const sessionId = conversation === null ? null : (id ?? null);
  return [{ kind: 'session', sessionId, conversation, action, ...rest }];
}

/**
 * Returns the verdict as it is delivered. A verdict always states that it opened its session. If an earlier
 * message of the conversation had opened the session, `opened` is the stage to deliver instead (S3-45).
 */
export function outwardVerdict(verdict: Verdict, opened: string | null): Verdict {
  const { engagement } = verdict.outcome;
  if (opened === null || typeof engagement !== 'object' || Array.isArray(engagement)) return verdict;
  return { ...verdict, outcome: { ...verdict.outcome, engagement: { ...engagement, stage: opened } } };
}
