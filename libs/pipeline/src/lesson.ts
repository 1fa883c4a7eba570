import type { Brief, EvidenceItem, JsonObject, Lesson } from '@casefile/contracts';

/** A case whose verdict a person answered. */
export interface ConfirmedCase {
  caseId: string;
  /** Who gave the answer. */
  by: string;
  /** The outcome that stands. */
  outcome: JsonObject;
  brief: Brief;
  evidence: readonly EvidenceItem[];
}

/** What a case feeds into the knowledge bases. */
export type CaseLesson = Pick<Lesson, 'reports' | 'pattern'>;

/** Returns what an answer of a person to a verdict teaches; null: nothing. */
export type LessonRule = (confirmed: ConfirmedCase) => CaseLesson | null;
