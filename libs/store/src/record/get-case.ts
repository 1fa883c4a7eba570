import {
  recordedVerdict,
  type AlertImage,
  type ArtifactRecord,
  type CaseDocument,
  type EventRecord,
  type Interaction,
  type RunDocument,
  type RunRecord,
  type RunStatus,
  type SignalRecord,
  type ToolCall,
  type UnitRecord,
  type UnitStatus,
} from '@casefile/contracts';
import { alertOf, type AlertParts } from '../hot/alert-parts.js';
import type { UnitState } from '../hot/unit-state.js';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { eventOf, interactionOf, isoOrNull, recordOf, signalOf, toolCallOf, UNIT_COLUMNS } from '../rows.js';

/** One case with everything on its record, as of one moment. */
export async function getCase(database: Database, caseId: string): Promise<CaseDocument | null> {
  if (!isUuid(caseId)) return null;
  return database.transaction((tx) => read(tx, caseId), 'begin isolation level repeatable read read only');
}

/** One run with everything on its record, as of one moment. */
export async function getRun(database: Database, runId: string): Promise<RunDocument | null> {
  if (!isUuid(runId)) return null;
  return database.transaction(async (tx) => {
    const [parts] = await readParts(tx, await tx.rows('select * from runs where id = $1', [runId]));
    return parts === undefined ? null : runDocument(parts);
  }, 'begin isolation level repeatable read read only');
}

/** The image of an alert of this case. */
export async function alertImage(
  database: Database,
  caseId: string,
  alertId: string,
): Promise<AlertImage | null> {
  if (!isUuid(caseId) || !isUuid(alertId)) return null;
  const [row] = await database.rows<Pick<AlertParts, 'image_type' | 'image'>>(
    'select image_type, image from alerts where id = $1 and case_id = $2 and image is not null',
    [alertId, caseId],
  );
  if (row === undefined) return null;
  return { mediaType: row.image_type as AlertImage['mediaType'], base64: row.image ?? '' };
}

async function read(tx: Queryable, caseId: string): Promise<CaseDocument | null> {
  const [row] = await tx.rows('select * from cases where id = $1', [caseId]);
  if (row === undefined) return null;
  const alerts = await tx.rows<AlertParts>(
    'select * from alerts where case_id = $1 order by created_at, id',
    [caseId],
  );
  const runs = await tx.rows('select * from runs where case_id = $1 order by created_at, id', [caseId]);
  const parts = await readParts(tx, runs);
  return { ...caseOf(row), alerts: alerts.map(alertOf), runs: parts.map(runDocument) };
}

const OF_RUNS = 'where run_id = any($1::uuid[])';

async function readParts(tx: Queryable, rows: object[]): Promise<RunParts[]> {
  const runs = rows.map(runOf);
  const ids = [runs.map(({ id }) => id)];
  const units = await tx.rows<UnitState>(
    `select ${UNIT_COLUMNS} from units u where u.run_id = any($1::uuid[]) order by u.unit`,
    ids,
  );
  const own = async <R>(
    table: string,
    order: string,
    of: (row: OfRun) => R,
  ): Promise<(runId: string) => R[]> => {
    const all = await tx.rows<OfRun>(`select * from ${table} ${OF_RUNS} order by ${order}`, ids);
    return (runId) => all.filter((row) => row.run_id === runId).map(of);
  };
  const artifacts = await own('artifacts', 'created_at, round, unit, artifact', artifactOf);
  const toolCalls = await own('tool_calls', 'created_at, round, unit, stage, step, seq, id', toolCallOf);
  const interactions = await own(
    'llm_interactions',
    'created_at, round, unit, stage, step, attempt, id',
    interactionOf,
  );
  const signals = await own('signals', 'asked_at, round, unit, stage, step', signalOf);
  const events = await own('events', 'xid, id', (row) => eventOf(row as OfRun & { xid: string; id: string }));
  return runs.map((run) => {
    const asked = signals(run.id);
    return {
      run,
      units: units.filter((unit) => unit.runId === run.id),
      artifacts: artifacts(run.id),
      toolCalls: toolCalls(run.id),
      interactions: interactions(run.id),
      ...(asked.length === 0 ? {} : { signals: asked }),
      trace: events(run.id),
    };
  });
}

type OfRun = { run_id: string };

const RUN = [
  'id',
  'caseId',
  'alertId',
  'lane',
  'settings',
  'status',
  'reasonCode',
  'message',
  'createdAt',
  'decidedAt',
] as const;
const runOf = recordOf<RunParts['run']>()(RUN);
const caseOf = recordOf<Omit<CaseDocument, 'alerts' | 'runs'>>()([
  'id',
  'playbook',
  'status',
  'alertCount',
  'createdAt',
  'updatedAt',
  'resolvedAt',
  'leadingRunId',
  'flaps',
]);
const artifactOf = recordOf<ArtifactRecord>()(['runId', 'unit', 'artifact', 'round', 'body', 'createdAt']);

/** What is on the record of one run, in the order in which it was written. */
interface RunParts {
  run: Pick<RunRecord, (typeof RUN)[number]>;
  units: Pick<UnitState, 'unit' | 'status' | 'stage' | 'round' | 'reasonCode' | 'message'>[];
  artifacts: ArtifactRecord[];
  toolCalls: ToolCall[];
  interactions: Interaction[];
  signals?: SignalRecord[];
  trace: EventRecord[];
}

/** One run as one document. */
function runDocument({ run, units, ...parts }: RunParts): RunDocument {
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

type Place = { unit: string; status: UnitStatus; stage: string; round: number };

// What is shown first when the units of a run differ.
const BY_WEIGHT: readonly RunStatus[] = ['quarantined', 'running', 'due', 'suspended', 'parked'];

/** Where a run is, read off its units: the row of the run knows only whether and how it ended. */
export function progressOf(
  ended: RunStatus,
  units: readonly Place[],
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

/** When the newest occurrence of a case was said to be over, ISO 8601; null: it was not, or it fires again. */
export async function resolvedAt(database: Queryable, caseId: string): Promise<string | null> {
  const statement = 'select resolved_at from cases where id = $1';
  const [row] = await database.rows<{ resolved_at: Date | null }>(statement, [caseId]);
  return isoOrNull(row?.resolved_at ?? null);
}
