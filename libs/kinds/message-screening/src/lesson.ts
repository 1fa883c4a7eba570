import type { LessonRule } from '@casefile/pipeline/lesson';
import { scamLesson } from '@casefile/pipeline/scam/scam-lesson';

/** Returns the category and signs of a message in which a person found a scam. */
export const detectedScamLesson: LessonRule = (confirmed) => {
  const { scamDetected, category, redFlags } = confirmed.outcome;
  if (scamDetected !== true) return null;
  return scamLesson(confirmed, {
    ...(typeof category === 'string' ? { category } : {}),
    redFlags: Array.isArray(redFlags) ? redFlags.filter((flag) => typeof flag === 'string') : [],
  });
};
