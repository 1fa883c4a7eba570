import type { ShownRun } from '@casefile/contracts';
import { t } from '../../strings/text.js';

/** Artifact that each stage of the flow appends, in the order of the flow, with the name of the stage. */
const STEPS = [
  ['brief', t('case.triage')],
  ['evidence', t('case.collectEvidence')],
  ['draft', t('case.reason')],
  ['review', t('case.critique')],
  ['report', t('case.writeTheReport')],
  ['verdict', t('case.decide')],
] as const;

/** How far a run is. */
export interface JudgingProgress {
  /** Number of stages that appended their artifact. */
  done: number;
  total: number;
  /** Name of the next stage; null: all are done. */
  next: string | null;
}

/** Returns how many stages of a run are done. A stage that a later round repeats counts once. */
export function judgingProgress({ artifacts }: Pick<ShownRun, 'artifacts'>): JudgingProgress {
  const appended = new Set(artifacts.map(({ artifact }) => artifact));
  const isDone = STEPS.map(([artifact]) => appended.has(artifact));
  const next = STEPS.find((_, i) => isDone[i] === false);
  return { done: isDone.filter(Boolean).length, total: STEPS.length, next: next?.[1] ?? null };
}
