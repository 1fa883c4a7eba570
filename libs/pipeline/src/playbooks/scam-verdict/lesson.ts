import type { LessonRule } from '../../lesson.js';
import { scamLesson } from '../../scam/scam-lesson.js';

/** Returns the lesson of a message that a person judged to be of high risk. */
export const highRiskLesson: LessonRule = (confirmed) =>
  confirmed.outcome['riskLevel'] === 'high' ? scamLesson(confirmed, {}) : null;
