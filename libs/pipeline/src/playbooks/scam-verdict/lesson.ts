import type { LessonRule } from '../../lesson.js';
import { scamLesson } from '../../scam/scam-lesson.js';

/** A message that a person found to be of high risk is a scam. S1-11, S3-12. */
export const highRiskLesson: LessonRule = (confirmed) =>
  confirmed.outcome['riskLevel'] === 'high' ? scamLesson(confirmed, {}) : null;
