import type { Grade } from '../transitions/grade.js';

/** `words`: words of recovery without a status field. */
export type AlertKind = 'firing' | 'resolved' | 'remark' | 'words';

export interface ModelRun {
  id: string;
  outward: boolean;
  /** The run whose verdict it is compared with. null: it judges a new occurrence. */
  comparedWith: string | null;
  grade: Grade;
  openedAt: number;
  /** Place among openings and decisions. */
  order: number;
  /** null: it is under way. */
  verdict: string | null;
  /** Whether its verdict is degraded, because its model was unavailable. */
  isDegraded: boolean;
  /** Whether receivers got its verdict, or have the same one already. */
  isDelivered: boolean;
  /** Default: an alert opened it. */
  isOfBatch?: boolean;
}

/** The verdict of a person on its way to receivers, or the restored verdict of the run. */
export interface ModelCorrection {
  id: string;
  /** null: it restores the verdict of the run. */
  answerId: string | null;
  runId: string;
  says: string;
  isMarked: boolean;
  sent: boolean;
}

export interface Message {
  id: string;
  /** Parts on which receivers act. */
  says: string;
  by: 'run' | 'person';
  begins: boolean;
  isMarked: boolean;
}

/** What people and receivers see of a case. */
export interface ObservedCase {
  exists: boolean;
  /** Number of runs that alerts opened. */
  runs: number;
  /** Verdict of the leading run; null: none yet. */
  verdict: string | null;
  /** Answer of a person in force; null: none. */
  answer: string | null;
  /** Whether its sender reported the end of the newest occurrence. */
  isOver: boolean;
  /** What receivers got, in order. */
  messages: string[];
}
