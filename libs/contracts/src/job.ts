/** Purposes of runs. Live work never waits behind the others. */
export const LANES = ['live', 'shadow', 'replay', 'batch'] as const;
export type Lane = (typeof LANES)[number];

/** Lanes share workers in two groups: live work, for which a sender waits, and all other work. */
export type LaneGroup = 'live' | 'bulk';

export const laneGroup = (lane: Lane): LaneGroup => (lane === 'live' ? 'live' : 'bulk');

/** The lanes that a client may choose when it posts an alert. */
export const INTAKE_LANES = ['live', 'batch'] as const satisfies readonly Lane[];
export type IntakeLane = (typeof INTAKE_LANES)[number];

/** Content of a stage's job: ids only. The name of the queue is the stage. */
export interface StageJob {
  runId: string;
  unit: string;
  round: number;
}

/** Content of a tool call's job. */
export interface ToolJob {
  toolCallId: string;
}

/**
 * A wake-up job for a due unit. `nudge` is a counter of the due row, so that no job id is ever used twice.
 */
export interface StageNudge extends StageJob {
  kind: 'stage';
  stage: string;
  lane: Lane;
  nudge: number;
  /**
   * Id of a job that wakes this unit together with others that became due at the same moment. Default: the
   * unit has its own job.
   */
  sharedJob?: string;
}

/** A wake-up job for a pending tool call. */
export interface ToolNudge extends ToolJob {
  kind: 'tool';
  tool: string;
  lane: Lane;
  nudge: number;
}

export type Nudge = StageNudge | ToolNudge;

/**
 * Returns the id of a nudge's own job: parts joined by `.` (BullMQ reserves `:`), ending in the nudge
 * counter.
 */
export function nudgeJobId(nudge: Nudge): string {
  if (nudge.kind === 'tool') return `${nudge.toolCallId}.${nudge.nudge}`;
  return [nudge.runId, nudge.unit, nudge.stage, nudge.round, nudge.nudge].join('.');
}

/** Valid names of a unit. Names become part of job ids. `''` is the run's only or joining unit. */
export const UNIT_NAME = /^[A-Za-z0-9_-]{0,64}$/;
