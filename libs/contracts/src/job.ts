/** Why a run is made. Live work is never behind the others. */
export const LANES = ['live', 'shadow', 'replay', 'batch'] as const;
export type Lane = (typeof LANES)[number];

/** The lanes that whoever hands an alert in may ask for. */
export const INTAKE_LANES = ['live', 'batch'] as const satisfies readonly Lane[];
export type IntakeLane = (typeof INTAKE_LANES)[number];

/** What a stage's job carries: ids only. The stage is the name of the queue. */
export interface StageJob {
  runId: string;
  unit: string;
  round: number;
}

/** What a tool call's job carries. */
export interface ToolJob {
  toolCallId: string;
}

/** A wake-up for a due unit. `nudge` counts up on the due row, so no job id is ever used twice. */
export interface StageNudge extends StageJob {
  kind: 'stage';
  stage: string;
  lane: Lane;
  nudge: number;
  /** A job that may wake this unit together with others that became due at the same moment; left out: it has its own. */
  sharedJob?: string;
}

/** A wake-up for a pending tool call. */
export interface ToolNudge extends ToolJob {
  kind: 'tool';
  tool: string;
  lane: Lane;
  nudge: number;
}

export type Nudge = StageNudge | ToolNudge;

/** The id of a wake-up's own job: parts joined by `.` (BullMQ keeps `:` for itself), ending in the nudge counter. */
export function jobIdOf(nudge: Nudge): string {
  if (nudge.kind === 'tool') return `${nudge.toolCallId}.${nudge.nudge}`;
  return [nudge.runId, nudge.unit, nudge.stage, nudge.round, nudge.nudge].join('.');
}

/** Names a unit may have: they become part of job ids. `''` is the run's only or joining unit. */
export const UNIT_NAME = /^[A-Za-z0-9_-]{0,64}$/;
