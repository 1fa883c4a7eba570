import {
  artifactRecordSchema,
  caseDocumentSchema,
  caseSilenceSchema,
  isErased,
  progressOfRun,
  recordedVerdict,
  runRecordSchema,
  stormSummary,
  unitRecordSchema,
  type AlertImage,
  type CaseDocument,
  type EventRecord,
  type JsonObject,
  type RunDocument,
  type UnitStatus,
} from '@casefile/contracts';
import { isAnsweredRun } from '../answered-sql.js';
import { alertOf, type AlertParts } from '../hot/alert-parts.js';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { erasuresOf } from '../erasure/erasures.js';
import { CORRECTION_IN_FORCE } from './reviews.js';
import { STORM_OF_CASE, type StormRow } from './storms.js';
import {
  iso,
  eventOf,
  interactionOf,
  recordBySchema,
  recordOfSchema,
  signalOf,
  toolCallOf,
  type EventPlace,
} from '../rows.js';

/** Returns one case with everything on its record, from one snapshot. */
export async function getCase(database: Database, caseId: string): Promise<CaseDocument | null> {
  if (!isUuid(caseId)) return null;
  return database.transaction((tx) => read(tx, caseId), 'begin isolation level repeatable read read only');
}

/** Returns one run with everything on its record, from one snapshot. */
export async function getRun(database: Database, runId: string): Promise<RunDocument | null> {
  if (!isUuid(runId)) return null;
  return database.transaction(async (tx) => {
    const [parts] = await readParts(tx, await tx.rows('select * from runs where id = $1', [runId]));
    return parts === undefined ? null : runDocument(parts);
  }, 'begin isolation level repeatable read read only');
}

/** Returns the image of an alert of this case. */
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

const EARLIER_ANSWER = `
  select f."by", f.at, f.run_id, a.body -> 'outcome' ->> 'severity' as severity
  from feedback f left join artifacts a on a.run_id = f.run_id and a.artifact = 'verdict'
  where f.case_id = $1 and f.run_id <> $2
    and not exists (select from feedback g where g.case_id = $1 and g.run_id = $2)
  order by f.created_at desc limit 1`;

const SILENCE = `
  select w.silence_id, w.run_id, s.reason, s.author, s.ends_at, s.ends_at <= now() as is_over,
    (select count(*)::int from outbound_deliveries d where d.case_id = w.case_id and d.silence_id = w.silence_id
      and d.state = 'withheld') as messages
  from withheld_verdicts w join silences s on s.id = w.silence_id where w.run_id = $1`;

const stormOf = (row: StormRow | undefined) => (row === undefined ? null : stormSummary(row.id, row.members));

const IS_ANSWERED = `select ${isAnsweredRun('$1::uuid', '$2::uuid')} as is_answered`;

async function read(tx: Queryable, caseId: string): Promise<CaseDocument | null> {
  const [row] = await tx.rows('select * from cases where id = $1', [caseId]);
  if (row === undefined) return null;
  const alerts = await tx.rows<AlertParts>(
    'select * from alerts where case_id = $1 order by created_at, id',
    [caseId],
  );
  const runs = await tx.rows('select * from runs where case_id = $1 order by created_at, id', [caseId]);
  const parts = await readParts(tx, runs);
  const shown = caseOf(row);
  const documents = parts.map(runDocument);
  const [corrected] = await tx.rows<{ body: JsonObject }>(CORRECTION_IN_FORCE, [
    caseId,
    shown.leadingRunId ?? null,
  ]);
  const [earlier] = await tx.rows<{ by: string; at: Date; run_id: string; severity: string | null }>(
    EARLIER_ANSWER,
    [caseId, shown.leadingRunId ?? null],
  );
  const earlierAnswer =
    earlier === undefined
      ? {}
      : {
          earlierAnswer: {
            by: earlier.by,
            at: iso(earlier.at),
            runId: earlier.run_id,
            severity: earlier.severity,
          },
        };
  const [answered] = await tx.rows<{ is_answered: boolean }>(IS_ANSWERED, [
    caseId,
    shown.leadingRunId ?? null,
  ]);
  const isAnswered = answered?.is_answered === true;
  const [silenced] = await tx.rows<{ ends_at: Date }>(SILENCE, [shown.leadingRunId ?? null]);
  const [storm] = await tx.rows<StormRow>(STORM_OF_CASE, [caseId]);
  const own = documents.find(({ id }) => id === shown.leadingRunId)?.verdict ?? null;
  const verdict = corrected === undefined ? own : recordedVerdict(corrected.body);
  const erasures = await erasuresOf(tx, caseId);
  const erased = erasures.length === 0 ? {} : { erasures };
  return {
    ...shown,
    ...earlierAnswer,
    ...erased,
    isAnswered,
    storm: stormOf(storm),
    silence: silenced === undefined ? null : silenceOf({ ...silenced, ends_at: iso(silenced.ends_at) }),
    verdict,
    alerts: alerts.map(alertOf),
    runs: documents,
  };
}

/** The record of one run, in the order in which it was written. */
type RunParts = Pick<
  RunDocument,
  'units' | 'artifacts' | 'toolCalls' | 'interactions' | 'signals' | 'trace'
> & {
  run: ReturnType<typeof runOf>;
};

async function readParts(tx: Queryable, rows: object[]): Promise<RunParts[]> {
  const runs = rows.map(runOf);
  const ids = runs.map(({ id }) => id);
  const own = async <R, Row extends OfRun>(table: string, order: string, of: (row: Row) => R) => {
    const text = `select * from ${table} where run_id = any($1::uuid[]) order by ${order}`;
    const all = await tx.rows<Row>(text, [ids]);
    return (runId: string): R[] => all.filter((row) => row.run_id === runId).map(of);
  };
  const calls = 'created_at, round, unit, stage, step';
  const units = await own('units', 'unit', unitOf);
  const written = await own('artifacts', 'created_at, round, unit, artifact', artifactOf);
  // An erased artifact is left out, so that readers find a run that did not write it. A verdict keeps its result.
  const artifacts = (runId: string) =>
    written(runId).filter(({ artifact, body }) => artifact === 'verdict' || !isErased(body));
  const toolCalls = await own('tool_calls', `${calls}, seq, id`, toolCallOf);
  const interactions = await own('llm_interactions', `${calls}, attempt, id`, interactionOf);
  const signals = await own('signals', 'asked_at, round, unit, stage, step', signalOf);
  const trace = await own<EventRecord, OfRun & EventPlace>('events', 'xid, id', eventOf);
  return runs.map((run) => {
    const openSignals = signals(run.id);
    return {
      run,
      units: units(run.id),
      artifacts: artifacts(run.id),
      toolCalls: toolCalls(run.id),
      interactions: interactions(run.id),
      ...(openSignals.length === 0 ? {} : { signals: openSignals }),
      trace: trace(run.id),
    };
  });
}

type OfRun = { run_id: string };

const runOf = recordBySchema('runs', runRecordSchema.omit({ stage: true, round: true, verdict: true }));
const caseOf = recordBySchema(
  'cases',
  caseDocumentSchema.omit({
    alerts: true,
    runs: true,
    verdict: true,
    erasures: true,
    earlierAnswer: true,
    isAnswered: true,
    silence: true,
    storm: true,
  }),
);
const silenceOf = recordOfSchema(caseSilenceSchema);
const artifactOf = recordBySchema('artifacts', artifactRecordSchema);
const unitOf = recordBySchema('units', unitRecordSchema);

// Units that have ended are at no stage.
const IS_OVER: ReadonlySet<UnitStatus> = new Set(['decided', 'finished']);

/** Returns one run as one document. */
function runDocument({ run, units, ...parts }: RunParts): RunDocument {
  const progress = progressOfRun(run.status, units);
  const here = units.find((unit) => unit.stage === progress.stage && unit.status === progress.status);
  const verdict = parts.artifacts.find((artifact) => artifact.artifact === 'verdict')?.body ?? null;
  return {
    ...run,
    ...progress,
    reasonCode: run.reasonCode ?? here?.reasonCode ?? null,
    message: run.message ?? here?.message ?? null,
    verdict: verdict === null ? null : recordedVerdict(verdict),
    units: units.map((unit) => (IS_OVER.has(unit.status) ? { ...unit, stage: null } : unit)),
    ...parts,
  };
}
