import { z } from 'zod';

/** Entity types the shipped playbooks extract; the set is open, upstream may send others. */
export const ENTITY_TYPES = ['phone', 'email', 'url', 'domain', 'crypto', 'payment'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number] | (string & {});

/** All values of each type, in order of appearance, without repeats. */
export const entitiesSchema = z.record(
  z.string().min(1).max(64),
  z.array(z.string().min(1).max(2048)).max(200),
);
export type Entities = z.infer<typeof entitiesSchema>;
