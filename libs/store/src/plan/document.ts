import {
  recordedVerdict,
  type ArtifactRecord,
  type EventRecord,
  type Interaction,
  type RunDocument,
  type RunRecord,
  type ToolCall,
  type UnitRecord,
} from '@casefile/contracts';
import { progressOf } from './progress.js';
import type { UnitState } from './unit-state.js';

/** What is on the record of one run, in the order in which it was written. */
export interface RunParts {
  run: Pick<
    RunRecord,
    | 'id'
    | 'caseId'
    | 'alertId'
    | 'lane'
    | 'settings'
    | 'status'
    | 'reasonCode'
    | 'message'
    | 'createdAt'
    | 'decidedAt'
  >;
  units: Pick<UnitState, 'unit' | 'status' | 'stage' | 'round' | 'reasonCode' | 'message'>[];
  artifacts: ArtifactRecord[];
  toolCalls: ToolCall[];
  interactions: Interaction[];
  trace: EventRecord[];
}

/** One run as one document. */
export function runDocument({ run, units, ...parts }: RunParts): RunDocument {
  const progress = progressOf(run.status, units);
  const here = units.find((unit) => unit.stage === progress.stage && unit.status === progress.status);
  const verdict = parts.artifacts.find((artifact) => artifact.artifact === 'verdict')?.body ?? null;
  return {
    ...run,
    ...progress,
    reasonCode: run.reasonCode ?? here?.reasonCode ?? null,
    message: run.message ?? here?.message ?? null,
    verdict: verdict === null ? null : recordedVerdict(verdict),
    units: units.map(unitRecord),
    ...parts,
  };
}

function unitRecord({
  unit,
  status,
  stage,
  round,
  reasonCode,
  message,
}: RunParts['units'][number]): UnitRecord {
  const isOver = status === 'decided' || status === 'finished';
  return { unit, status, stage: isOver ? null : stage, round, reasonCode, message };
}
