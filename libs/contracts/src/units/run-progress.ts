import type { UnitRecord } from '../record.js';
import type { RunStatus } from '../run-status.js';

/** The fields of a unit that determine the status of its run. */
export type UnitPlace = Pick<UnitRecord, 'unit' | 'status' | 'stage' | 'round'>;

// Order of precedence if the units of a run differ.
const BY_WEIGHT: readonly RunStatus[] = ['quarantined', 'running', 'due', 'suspended', 'parked'];

/**
 * Returns the status of a run, derived from its units. The row of the run only records whether and how it
 * ended.
 */
export function progressOfRun(
  ended: RunStatus,
  units: readonly UnitPlace[],
): { status: RunStatus; stage: string | null; round: number } {
  const own = units.find((unit) => unit.unit === '');
  const round = Math.max(1, ...units.map((unit) => unit.round));
  if (ended === 'decided') return { status: 'decided', stage: null, round: own?.round ?? round };
  if (ended !== 'due') {
    const last = units.find((unit) => unit.status === ended) ?? own;
    return { status: ended, stage: last?.stage ?? null, round: last?.round ?? round };
  }
  for (const status of BY_WEIGHT) {
    const unit = units.find((candidate) => candidate.status === status);
    if (unit !== undefined) return { status, stage: unit.stage, round: unit.round };
  }
  return { status: 'due', stage: own?.stage ?? null, round };
}
