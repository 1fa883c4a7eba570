import { isLearnedFrom, type RunSettings, type Verdict } from '@casefile/contracts';
import { recalibrate } from './recalibration.js';

/**
 * Returns the verdict with the confidence of the recalibration that the run is frozen with, and the stated one next to it. A verdict
 * whose confidence comes from another source than the recalibration was learned from is returned unchanged.
 * @param language of the message. null: the brief names none.
 */
export function recalibrateVerdict(
  verdict: Verdict,
  settings: Pick<RunSettings, 'recalibrations' | 'strategy' | 'model' | 'promptIds'>,
  language: string | null,
): Verdict {
  const found = settings.recalibrations?.findLast(
    (one) =>
      one.of.confidenceSource === verdict.confidenceSource &&
      one.of.language === language &&
      one.of.prompts === [...(verdict.promptIds ?? [])].sort().join() &&
      isLearnedFrom(one, settings),
  );
  // A fallback model states confidences of its own.
  if (found === undefined || verdict.degradedBy.includes('other_model')) return verdict;
  const { version, points } = found;
  return {
    ...verdict,
    confidence: recalibrate({ points }, verdict.confidence),
    confidenceSource: 'calibrated',
    statedConfidence: {
      confidence: verdict.confidence,
      source: verdict.confidenceSource,
      recalibration: version,
    },
  };
}

/** Returns the verdict, which needs review if its confidence is below the limit of the run. */
export function withActingLimit(verdict: Verdict, { actFrom }: Pick<RunSettings, 'actFrom'>): Verdict {
  if (actFrom === undefined || verdict.disposition === 'review' || verdict.confidence >= actFrom)
    return verdict;
  const stated = verdict.confidence.toFixed(2);
  const reason = `It needs review: the confidence ${stated} is below the limit of ${actFrom.toFixed(2)}.`;
  return { ...verdict, disposition: 'review', reasons: [...verdict.reasons, reason] };
}
