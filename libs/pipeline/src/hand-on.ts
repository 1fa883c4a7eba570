import { CasefileError, type Done, type Revise, type Search } from '@casefile/contracts';
import { ROUND_ENTRY } from './flow.js';
import type { Stage } from './stage.js';

/** Where a unit goes after it has appended an artifact. */
export interface HandOn {
  /** null: this unit has done its part, `joinStage` waits for the others. */
  next: { stage: string; round: number } | null;
  joinStage: string | null;
  /** Units to open at `next`. */
  units: string[];
}

/**
 * Decides where a unit goes next. A revision or a search opens the next round, unless the rounds are used
 * up: then the unit goes on as if it were done.
 * @returns null at the end of the flow.
 */
export function handOn(
  flow: readonly Stage[],
  stage: Stage,
  at: { unit: string; round: number; maxRounds: number },
  outcome: Done<unknown> | Revise<unknown> | Search<unknown>,
): HandOn | null {
  if (outcome.kind !== 'done' && at.round < at.maxRounds) {
    return { next: { stage: ROUND_ENTRY[outcome.kind], round: at.round + 1 }, joinStage: null, units: [] };
  }
  const position = flow.findIndex((other) => other.name === stage.name);
  const following = flow[position + 1];
  if (following === undefined) return null;
  const units = outcome.kind === 'done' ? (outcome.units ?? []) : [];
  if (units.length > 0) return opened(flow, position, { stage: following.name, round: at.round }, units);
  const waits = following.joins && at.unit !== '';
  return {
    next: waits ? null : { stage: following.name, round: at.round },
    joinStage: waits ? following.name : null,
    units: [],
  };
}

function opened(flow: readonly Stage[], position: number, next: HandOn['next'], units: string[]): HandOn {
  const joinStage = flow.slice(position + 2).find((stage) => stage.joins);
  if (joinStage === undefined)
    throw new CasefileError('bad_flow', 'units were opened but no later stage joins them');
  return { next, joinStage: joinStage.name, units };
}
