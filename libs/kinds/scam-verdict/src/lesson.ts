import type { LessonRule } from '@casefile/pipeline/lesson';
import { scamLesson } from '@casefile/pipeline/scam/scam-lesson';

/** Returns the lesson of a message that a person judged to be of high risk. */
export const highRiskLesson: LessonRule = (confirmed) =>
  confirmed.outcome['riskLevel'] === 'high' ? scamLesson(confirmed, {}) : null;
