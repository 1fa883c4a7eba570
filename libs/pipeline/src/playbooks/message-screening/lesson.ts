import type { LessonRule } from '../../lesson.js';
import { scamLesson } from '../../scam/scam-lesson.js';

/** Returns the category and signs of a message in which a person found a scam. */
export const detectedScamLesson: LessonRule = (confirmed) => {
  const { scamDetected, category, redFlags } = confirmed.outcome;
  if (scamDetected !== true) return null;
  return scamLesson(confirmed, {
    ...(typeof category === 'string' ? { category } : {}),
    redFlags: Array.isArray(redFlags) ? redFlags.filter((flag) => typeof flag === 'string') : [],
  });
};
