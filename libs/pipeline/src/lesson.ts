import type { Brief, EvidenceItem, JsonObject, Lesson } from '@casefile/contracts';

/** A case whose verdict a person answered. */
export interface ConfirmedCase {
  caseId: string;
  /** The person who gave the answer. */
  by: string;
  /** The outcome in force. */
  outcome: JsonObject;
  brief: Brief;
  evidence: readonly EvidenceItem[];
}

/** Additions of a case to the knowledge bases. */
export type CaseLesson = Pick<Lesson, 'reports' | 'pattern'>;

/** Returns the lesson of a person's answer to a verdict; null: there is none. */
export type LessonRule = (confirmed: ConfirmedCase) => CaseLesson | null;
