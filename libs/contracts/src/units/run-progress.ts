import type { UnitRecord } from '../record.js';
import type { RunStatus } from '../run-status.js';

/** A unit, as far as its run's place goes by it. */
export type UnitPlace = Pick<UnitRecord, 'unit' | 'status' | 'stage' | 'round'>;

// What is shown first when the units of a run differ.
const BY_WEIGHT: readonly RunStatus[] = ['quarantined', 'running', 'due', 'suspended', 'parked'];

/** Where a run is, read off its units: the row of the run knows only whether and how it ended. */
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
