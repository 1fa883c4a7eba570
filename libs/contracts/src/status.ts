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
 * A unit has the run's statuses and two of its own: `joining` (the run's own unit waits for the
 * others) and `finished` (this unit has done its part, the run goes on without it).
 */
export const UNIT_STATUSES = [...RUN_STATUSES, 'joining', 'finished'] as const;
export type UnitStatus = (typeof UNIT_STATUSES)[number];

export const CASE_STATUSES = ['open', 'decided', 'closed'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const INTERACTION_STATES = ['pending', 'completed', 'failed', 'ambiguous'] as const;
export type InteractionState = (typeof INTERACTION_STATES)[number];

export const TOOL_CALL_STATES = ['pending', 'running', 'succeeded', 'failed'] as const;
export type ToolCallState = (typeof TOOL_CALL_STATES)[number];
