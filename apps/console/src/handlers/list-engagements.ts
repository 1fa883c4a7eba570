import { engagementQuerySchema, type EngagementList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listEngagementsInput = { query: engagementQuerySchema };

/** Engagement sessions, the one with the newest message first. S3-46. */
export const listEngagements: Handler<typeof listEngagementsInput, EngagementList> = ({ store }, { query }) =>
  store.engagements.find(query);
