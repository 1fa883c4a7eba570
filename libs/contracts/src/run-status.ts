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

/**
 * Statuses in which no worker processes a run. A parked or quarantined run waits for an operator or a budget.
 */
export const ENDED_STATUSES: readonly RunStatus[] = ['decided', 'stopped', 'quarantined', 'parked'];

/**
 * Returns whether the run has ended, with or without a verdict. Only an operator or a raised budget continues
 * it.
 */
export function hasEnded({ status }: { status: RunStatus }): boolean {
  return ENDED_STATUSES.includes(status);
}

/**
 * Statuses of a unit: those of a run, `joining` (the run's own unit waits for the others) and `finished`
 * (this unit has ended, and the run continues without it).
 */
export const UNIT_STATUSES = [...RUN_STATUSES, 'joining', 'finished'] as const;
export type UnitStatus = (typeof UNIT_STATUSES)[number];
