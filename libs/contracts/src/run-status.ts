/** Status of a run, and of each unit of it. */
export const RUN_STATUSES = [
  'due',
  'running',
  'suspended',
  'parked',
  'decided',
  'stopped',
  'quarantined',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Statuses in which nothing works on a run any more. A parked or quarantined run waits for an operator, or for a budget. */
export const ENDED_STATUSES: readonly RunStatus[] = ['decided', 'stopped', 'quarantined', 'parked'];

/** Has the run ended, with a verdict or without? Only an operator or a raised budget continues it. */
export function hasEnded({ status }: { status: RunStatus }): boolean {
  return ENDED_STATUSES.includes(status);
}

/**
 * A unit has the run's statuses and two of its own: `joining` (the run's own unit waits for the
 * others) and `finished` (this unit has done its part, the run goes on without it).
 */
export const UNIT_STATUSES = [...RUN_STATUSES, 'joining', 'finished'] as const;
export type UnitStatus = (typeof UNIT_STATUSES)[number];
