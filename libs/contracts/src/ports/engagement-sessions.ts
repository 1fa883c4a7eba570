import type { Json } from '../json.js';

/** What a verdict to engage or probe opens. S3-42. */
export interface EngagementSession {
  /** The run that opened it. */
  id: string;
  caseId: string;
  stage: string;
  action: string;
  category: string | null;
  /** 0..1. */
  confidence: number;
  redFlags: Json;
  createdAt: string;
}

/** Sessions are written with their verdict, in lanes with an outward effect; here they are read. */
export interface EngagementSessions {
  engagementSession(id: string): Promise<EngagementSession | null>;
}
