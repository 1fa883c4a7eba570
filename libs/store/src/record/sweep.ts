import type {
  Nudge,
  StageNudge,
  SweepCandidate,
  ToolNudge,
  JsonObject,
  Lane,
  PendingDelivery,
  Leadership,
} from '@casefile/contracts';
import { LOOK_AGAIN_MS, nudgeOf } from '../hot/unit-state.js';
import { toolNudgeOf, type ToolNudgeRow } from '../hot/claim.js';
import type { Database } from '../database.js';
import { isUuid, RowSets } from '../row-set.js';
import type { NudgedUnitRow } from '../rows.js';
import type { HotWrite } from '../write-lane.js';
import type pg from 'pg';
import { asStoreError } from '../store-error.js';

// The minute of `sweep_minute`: the index finds what is over or will be within the minute, no more.
const THIS_MINUTE = `floor(extract(epoch from (now() - timestamptz '2000-01-01 00:00:00+00')) / 60)::int`;
const OVER = `sweep_minute <= ${THIS_MINUTE} and resume_at <= now()`;

type Aged = { resume_at: Date };

// What another process is at just now is left to it. Waits that are over become due; the others stay as they are
// until the caller has looked whether their job is alive.
const SWEEP_UNITS = `
  with found as (
    select u.run_id, u.unit, u.resume_at from units u where ${OVER} and u.status in ('due', 'running', 'suspended')
      and ($2::uuid[] is null or u.case_id = any($2))
    order by u.resume_at limit $1 for no key update of u skip locked),
  woken as (
    update units u set status = 'due', wait_over = u.wait_over or u.status = 'suspended', held = false
    from found f where u.run_id = f.run_id and u.unit = f.unit and (u.status = 'suspended' or u.held))
  select u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges, u.shared_job, f.resume_at
  from found f join units u on u.run_id = f.run_id and u.unit = f.unit order by f.resume_at`;
const SWEEP_CALLS = `
  select id, tool, lane, nudges, resume_at from tool_calls
  where ${OVER} and state in ('pending', 'running') and ($2::uuid[] is null or case_id = any($2)) order by resume_at limit $1`;

export async function sweep(
  database: Database,
  limit: number,
  cases: readonly string[] | null = null,
): Promise<SweepCandidate[]> {
  const units = await database.rows<NudgedUnitRow & Aged>(SWEEP_UNITS, [limit, cases]);
  const calls = await database.rows<ToolNudgeRow & Aged>(SWEEP_CALLS, [limit, cases]);
  const found: { at: Date; nudge: Nudge }[] = [
    ...units.map((row) => ({ at: row.resume_at, nudge: stageNudge(row) })),
    ...calls.map((row) => ({ at: row.resume_at, nudge: toolNudgeOf(row) })),
  ];
  found.sort((a, b) => a.at.getTime() - b.at.getTime());
  return found.slice(0, limit).map(({ nudge }) => ({ nudge }));
}

const DUE_UNITS_AFTER = `
  select u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges
  from runs r join units u on u.run_id = r.id
  where r.status = 'due' and u.status = 'due' and (not u.held or u.resume_at <= now())
    and ($1::uuid is null or (r.id, u.unit) > ($1::uuid, $2::text))
  order by r.id, u.unit limit $3`;
const PENDING_CALLS_AFTER = `
  select t.id, t.tool, t.lane, t.nudges, t.run_id from runs r join tool_calls t on t.run_id = r.id
  where r.status = 'due' and t.state = 'pending' and ($1::uuid is null or (r.id, t.id) > ($1::uuid, $2::uuid))
  order by r.id, t.id limit $3`;

/** In pages: first every due unit, then every pending call, each by run. */
export async function allDue(
  database: Database,
  after: string | null,
  limit: number,
): Promise<{ candidates: SweepCandidate[]; next: string | null }> {
  const [kind = 'unit', runId = null, last = null] = after?.split('/') ?? [];
  if (kind === 'unit') {
    const rows = await database.rows<NudgedUnitRow>(DUE_UNITS_AFTER, [runId, last, limit]);
    const end = rows.at(-1);
    const next = rows.length < limit || end === undefined ? 'call' : `unit/${end.run_id}/${end.unit}`;
    return { candidates: rows.map((row) => ({ nudge: stageNudge(row) })), next };
  }
  const rows = await database.rows<ToolNudgeRow & { run_id: string }>(PENDING_CALLS_AFTER, [
    runId,
    last,
    limit,
  ]);
  const end = rows.at(-1);
  const next = rows.length < limit || end === undefined ? null : `call/${end.run_id}/${end.id}`;
  return { candidates: rows.map((row) => ({ nudge: toolNudgeOf(row) })), next };
}

const UNIT_CANDIDATE = 'run_id uuid, unit text, stage text, round int, nudge int';
const CALL_CANDIDATE = 'id uuid, nudge int';
const SAME_UNIT = `u.run_id = q.run_id and u.unit = q.unit and u.stage = q.stage and u.round = q.round and u.nudges = q.nudge
  and (u.status = 'due' or (u.status = 'running' and u.lease_until <= now())) and (not u.held or u.resume_at <= now())`;
const SAME_CALL = `t.id = q.id and t.nudges = q.nudge
  and (t.state = 'pending' or (t.state = 'running' and t.lease_until <= now()))`;
const AGAIN = `now() + interval '${LOOK_AGAIN_MS} ms'`;

const renudgeUnits = (source: string): string => `
  with req as (select * from ${source}),
  locked as (select u.run_id, u.unit from units u join req q on ${SAME_UNIT}
    order by u.run_id, u.unit for no key update of u)
  update units u set nudges = u.nudges + 1, shared_job = null, held = false, resume_at = ${AGAIN}
  from req q join locked l on l.run_id = q.run_id and l.unit = q.unit where ${SAME_UNIT}
  returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges`;
const renudgeCalls = (source: string): string => `
  with req as (select * from ${source}),
  locked as (select t.id from tool_calls t join req q on ${SAME_CALL} order by t.id for no key update of t)
  update tool_calls t set nudges = t.nudges + 1, resume_at = ${AGAIN}
  from req q join locked l on l.id = q.id where ${SAME_CALL} returning t.id, t.tool, t.lane, t.nudges`;

export async function renudge(database: Database, candidates: SweepCandidate[]): Promise<Nudge[]> {
  const { units, calls } = apart(candidates);
  const sent: Nudge[] = [];
  if (units.length > 0) {
    const sets = new RowSets();
    const text = renudgeUnits(sets.add('q', UNIT_CANDIDATE, units.map(unitRow)));
    sent.push(...(await database.rows<NudgedUnitRow>(text, sets.params)).map(stageNudge));
  }
  if (calls.length > 0) {
    const sets = new RowSets();
    const text = renudgeCalls(sets.add('q', CALL_CANDIDATE, calls.map(callRow)));
    sent.push(...(await database.rows<ToolNudgeRow>(text, sets.params)).map(toolNudgeOf));
  }
  return sent;
}

export async function postpone(
  database: Database,
  candidates: SweepCandidate[],
  delayMs: number,
): Promise<void> {
  const { units, calls } = apart(candidates);
  const until = `now() + $2::float8 * interval '1 ms'`;
  if (units.length > 0) {
    const sets = new RowSets();
    const source = sets.add('q', UNIT_CANDIDATE, units.map(unitRow));
    await database.rows(
      `with req as (select * from ${source}),
       locked as (select u.run_id, u.unit from units u join req q on ${SAME_UNIT} and u.resume_at <= now()
         order by u.run_id, u.unit for no key update of u)
       update units u set resume_at = ${until}
       from req q join locked l on l.run_id = q.run_id and l.unit = q.unit where ${SAME_UNIT} and u.resume_at <= now()`,
      [...sets.params, delayMs],
    );
  }
  if (calls.length > 0) {
    const sets = new RowSets();
    const source = sets.add('q', CALL_CANDIDATE, calls.map(callRow));
    await database.rows(
      `update tool_calls t set resume_at = ${until} from ${source} where ${SAME_CALL} and t.resume_at <= now()`,
      [...sets.params, delayMs],
    );
  }
}

function apart(candidates: SweepCandidate[]): { units: StageNudge[]; calls: ToolNudge[] } {
  const nudges = candidates.map((candidate) => candidate.nudge);
  return {
    units: nudges.filter((nudge) => nudge.kind === 'stage' && isUuid(nudge.runId)) as StageNudge[],
    calls: nudges.filter((nudge) => nudge.kind === 'tool' && isUuid(nudge.toolCallId)) as ToolNudge[],
  };
}

function unitRow({ runId, unit, stage, round, nudge }: StageNudge): object {
  return { run_id: runId, unit, stage, round, nudge };
}

function callRow({ toolCallId, nudge }: ToolNudge): object {
  return { id: toolCallId, nudge };
}

function stageNudge(row: NudgedUnitRow): StageNudge {
  return nudgeOf({ ...row, runId: row.run_id });
}

interface DeliveryRow {
  id: string;
  case_id: string;
  run_id: string;
  playbook: string;
  lane: Lane;
  body: JsonObject;
  replaces: string | null;
}

const DELIVERIES = `
  select d.id, r.case_id, d.run_id, c.playbook, r.lane, a.body, d.replaces
  from deliveries d join runs r on r.id = d.run_id join cases c on c.id = r.case_id
    join artifacts a on a.run_id = d.run_id and a.artifact = 'verdict'`;

const MARK_DELIVERED =
  'update deliveries set delivered_at = now() where id = any($1) and delivered_at is null';

export async function pendingDeliveries(
  database: Database,
  limit: number,
  olderThanMs: number,
  playbooks: readonly string[],
): Promise<PendingDelivery[]> {
  const rows = await database.rows<DeliveryRow>(
    `${DELIVERIES} where d.delivered_at is null and d.created_at <= now() - $2::float8 * interval '1 ms'
       and c.playbook = any($3::text[])
     order by d.created_at, d.id limit $1`,
    [limit, olderThanMs, playbooks],
  );
  return rows.map(deliveryOf);
}

export async function delivery(database: Database, runId: string): Promise<PendingDelivery | null> {
  if (!isUuid(runId)) return null;
  const [row] = await database.rows<DeliveryRow>(`${DELIVERIES} where d.run_id = $1`, [runId]);
  return row === undefined ? null : deliveryOf(row);
}

/** Marks verdicts as handed out; one request is a list of delivery ids. */
export const deliveredWrite: HotWrite<string[], void> = {
  statement: (requests) => ({ text: MARK_DELIVERED, params: [requests.flat()] }),
  results: (requests) => requests.map(() => undefined),
};

function deliveryOf(row: DeliveryRow): PendingDelivery {
  const { id, case_id: caseId, run_id: runId, playbook, lane, body, replaces } = row;
  const told = { deliveryId: id, caseId, runId, playbook, lane, verdict: body };
  return replaces === null ? told : { ...told, replaces };
}

/**
 * One leader a name over all processes, by an advisory lock of a session: a leader that dies, or loses its
 * connection, leads no more.
 */
export async function lead(database: Database, name: string): Promise<Leadership | null> {
  const client = await database.connect();
  try {
    const { rows } = await client.query<{ leads: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 11)) as leads',
      [name],
    );
    if (rows[0]?.leads === true) return leadership(client, name);
    client.release();
    return null;
  } catch (error) {
    client.release(true);
    throw asStoreError(error);
  }
}

function leadership(client: pg.PoolClient, name: string): Leadership {
  let released = false;
  return {
    release: async () => {
      if (released) return;
      released = true;
      try {
        await client.query('select pg_advisory_unlock(hashtextextended($1, 11))', [name]);
        client.release();
      } catch (error) {
        // Closing the connection gives the lock back as well.
        client.release(error instanceof Error ? error : true);
      }
    },
  };
}
