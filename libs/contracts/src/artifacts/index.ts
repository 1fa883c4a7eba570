import type { z } from 'zod';
import { briefSchema } from './brief.js';
import { draftSchema } from './draft.js';
import { evidenceSchema } from './evidence.js';
import { reportSchema } from './report.js';
import { reviewSchema } from './review.js';
import { verdictSchema } from './verdict.js';

/** The schema of every artifact, by name. Types and checks derive from this list. */
export const ARTIFACTS = {
  brief: briefSchema,
  evidence: evidenceSchema,
  draft: draftSchema,
  review: reviewSchema,
  report: reportSchema,
  verdict: verdictSchema,
} as const;

export type ArtifactName = keyof typeof ARTIFACTS;
export type ArtifactOf<N extends ArtifactName> = z.infer<(typeof ARTIFACTS)[N]>;

export * from './alert.js';
export * from './brief.js';
export * from './mail.js';
export * from './claims.js';
export * from './draft.js';
export * from './alert.js';
export * from './evidence.js';
export * from './report.js';
export * from './review.js';
export * from './verdict.js';
