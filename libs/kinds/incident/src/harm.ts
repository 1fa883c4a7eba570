import type { Incident } from './alert.js';
import { alarmsIn } from './contradictions.js';
import { showsStateNow, type Read } from './look-ups.js';

/** Harm at this time, by the record alone. */
export interface Harm {
  /** Whether an item whose own time is after the start shows it. */
  isProven: boolean;
  /** From 0 to 1. */
  confidence: number;
}

/** Confidence in harm: by look-ups from after the start, by a critical alert that fires, by any other alert that fires. */
const CONFIDENCE = { lookUps: 0.8, critical: 0.6, firing: 0.5 } as const;
const LEAST_WEIGHT = 1;

/**
 * Returns the harm that the record shows. An alert is an item from after its start while its sender reports it as firing,
 * so look-ups that are missing, failed or empty never make it less.
 */
export function harmOf({
  incident,
  resolved,
  reads,
}: {
  incident: Pick<Incident, 'state' | 'severity' | 'startsAt' | 'textState'>;
  resolved: boolean;
  reads: readonly Read[];
}): Harm {
  const { state, severity, startsAt, textState } = incident;
  if (state !== 'firing' || resolved || textState !== null) return { isProven: false, confidence: 0 };
  const alarms = reads
    .filter((read) => read.gap === null && showsStateNow(read))
    .flatMap((read) => alarmsIn(read, startsAt));
  const weight = alarms.reduce((sum, one) => sum + one.weight, 0);
  if (weight >= LEAST_WEIGHT) return { isProven: true, confidence: CONFIDENCE.lookUps };
  return { isProven: true, confidence: severity === 'critical' ? CONFIDENCE.critical : CONFIDENCE.firing };
}
