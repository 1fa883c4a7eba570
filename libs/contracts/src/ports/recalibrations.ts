import type { ConfidenceOrigin, FrozenRecalibration } from '../rollout/recalibration.js';
import type { Act } from '../act.js';

/** A recalibration that was learned from labels. It never changes; experiments and its flag put it in force. */
export interface RecalibrationEntry extends ConfidenceOrigin {
  version: number;
  method: 'platt' | 'isotonic';
  /** Labels it was learned from, and the time of the oldest and newest verdict among them, ISO 8601. */
  labels: number;
  from: string;
  to: string;
  /** SHA-256 (hexadecimal) of the sorted ids of the labelled runs. */
  runsDigest: string;
  /** Mean squared error of the stated confidence, and of this one on labels left out of its fit. */
  brierStated: number;
  brierRecalibrated: number;
  points: FrozenRecalibration['points'];
  author: string;
  reason: string;
  createdAt: string;
}

export type NewRecalibration = Omit<RecalibrationEntry, 'version' | 'author' | 'createdAt'> & Act;

/** Versions of recalibrations. */
export interface Recalibrations {
  /** Lists all versions, the newest first. */
  list(): Promise<RecalibrationEntry[]>;
  /** Adds a version, which is not in force. A repeated act returns the version that it added. */
  add(recalibration: NewRecalibration): Promise<RecalibrationEntry>;
}
