import { jsonSchema, z, type Change, type EngagementSession } from '@casefile/contracts';

const outcomeSchema = z.object({
  action: z.enum(['engage', 'probe']),
  engagement: z.object({
    stage: z.string().min(1).max(100),
    category: z.string().nullable().default(null),
    confidence: z.number().min(0).max(1),
    redFlags: z.array(jsonSchema),
  }),
});

/**
 * The session that a verdict opens; null when it opens none, and in a lane without outward effect: nobody is engaged
 * for the sake of a replay. S3-42.
 */
export function engagementOf(change: Change): Omit<EngagementSession, 'id' | 'caseId' | 'createdAt'> | null {
  if (change.kind !== 'decide' || change.deliveryId === null) return null;
  const parsed = outcomeSchema.safeParse(change.artifact.body['outcome']);
  if (!parsed.success) return null;
  return { action: parsed.data.action, ...parsed.data.engagement };
}
