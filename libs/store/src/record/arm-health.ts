import {
  countOutcome,
  experimentFlag,
  newArmHealth,
  stepBackRule,
  type ArmHealth,
  type ArmPair,
  type EndedArmRun,
  type EventOrder,
  type ExperimentArm,
  type Flags,
  type FlagState,
  type StepBack,
  type WatchedExperiment,
} from '@casefile/contracts';
import type { Database, Transaction } from '../database.js';
import { placeOfEvent } from './cursor.js';
import { iso } from '../rows.js';

/** Reading stops at the oldest open transaction, which may still write events that precede existing ones. */
const SETTLED = `xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

// Starts a little earlier: a transaction that began before the start may end runs after it.
const START = `
  with later as materialized (select xid from events where at >= (
    select coalesce(started_at, created_at) - interval '10 seconds' from experiments where id = $1))
  select min(xid)::text as xid from later`;

/**
 * Returns one row: the runs of the experiment among the next events, and the last of these events. Runs
 * accepted before the flag was last set are left out, because the person who set it knew their results.
 */
const ENDED = `
  with page as materialized (
    select xid, id, type, run_id, data, at from events
    where ${SETTLED} and (xid, id) > ($2::bigint, $3::bigint) order by events.xid, events.id limit $4),
  ended as (
    select p.xid, p.id, p.run_id, p.at, p.type, p.data, r.settings -> 'experiment' ->> 'arm' as arm
    from page p join runs r on r.id = p.run_id
    where p.type in ('verdict.decided', 'run.quarantined') and r.lane = 'live'
      and r.settings -> 'experiment' ->> 'id' = $1::text
      and (r.settings -> 'flag' ->> 'version')::int >= (select version from flags where name = 'experiment.' || $1::text))
  select
    (select json_build_object('xid', xid::text, 'id', id::text) from page order by xid desc, id desc limit 1) as place,
    (select coalesce(json_agg(json_build_object('runId', e.run_id, 'arm', e.arm, 'event', e.xid || '.' || e.id, 'at', e.at,
        'isQuarantined', e.type = 'run.quarantined',
        'isOtherModel', coalesce(e.data ->> 'degradedBy' like '%"other_model"%', false),
        'fallback', (select min(a.body ->> 'fallbackReason') from artifacts a
          where a.run_id = e.run_id and a.artifact = 'draft')) order by e.xid, e.id), '[]')
      from ended e) as runs`;

const WATCHED = `
  select e.id, e.name, e.arms,
    json_build_object('name', f.name, 'variant', f.variant, 'version', f.version, 'by', f.by, 'reason', f.reason,
      'latched', f.latched, 'changedAt', f.changed_at) as flag,
    (select coalesce(json_agg(h), '[]') from arm_health h where h.experiment_id = e.id) as health
  from experiments e join flags f on f.name = 'experiment.' || e.id
  where f.latched or (e.mode = 'ab' and e.state = 'running' and f.variant = 'on') order by e.started_at, e.id`;

const STATE = `
  select e.arms, e.error_limit as "limit", f.version,
    (select coalesce(json_agg(h), '[]') from arm_health h where h.experiment_id = e.id) as health
  from experiments e join flags f on f.name = 'experiment.' || e.id
  where e.id = $1 and e.state = 'running' and f.variant = 'on'`;

const KEEP = `
  insert into arm_health (experiment_id, arm, cusum, consecutive, cases, last, changed_at)
  values ($1, $2, $3, $4, $5, $6::json, now())
  on conflict (experiment_id, arm) do update set cusum = $3, consecutive = $4, cases = $5, last = $6::json, changed_at = now()`;

const SET_OFF = `
  update flags set variant = 'off', latched = true, version = version + 1, by = 'rule', reason = $2, changed_at = now()
  where name = $1`;
const END = `update experiments set state = 'stepped_back', ended_at = now() where id = $1`;
// Versions that only this experiment used become candidates again, as after a stop.
const RETURN_PROMPTS = `
  update prompt_versions v set state = 'candidate', moved_by = 'rule', changed_at = now()
  from experiments e, json_array_elements(e.arms) a, json_each_text(a -> 'settings' -> 'prompts') p
  where e.id = $1 and v.state = 'shadow' and v.playbook = e.playbook and v.name = p.key and v.version = p.value::int`;
const REPORT = `insert into events (type, data) values ('flag.stepped_back', $1::json)`;

interface ArmRows {
  arms: ExperimentArm[];
  health: ArmHealth[];
}

interface StateRow extends ArmRows {
  limit: number;
}

/** Health of the arms of experiments, in Postgres. Steps an arm back when the rule says so. */
export function postgresArmHealth(
  database: Database,
): Pick<Flags, 'watched' | 'startOf' | 'endedRuns' | 'count'> {
  return {
    watched: async () => (await database.rows<WatchedRow>(WATCHED)).map(toWatched),
    startOf: async (experimentId) => {
      const [row] = await database.rows<{ xid: string | null }>(START, [experimentId]);
      return row?.xid == null ? null : { xid: row.xid, id: '0' };
    },
    endedRuns: async (experimentId, { xid, id }, limit) => {
      const [row] = await database.rows<{ place: EventOrder | null; runs: EndedArmRun[] }>(ENDED, [
        experimentId,
        xid,
        id,
        limit,
      ]);
      if (row?.place == null) return null;
      return { place: row.place, runs: row.runs.map((run) => ({ ...run, at: iso(run.at) })) };
    },
    count: (experimentId, outcomes, isOutage) =>
      database.transaction((tx) => count(tx, experimentId, outcomes, isOutage)),
  };
}

interface WatchedRow extends ArmRows {
  id: string;
  name: string;
  flag: FlagState;
}

function toWatched({ id, name, flag, ...rows }: WatchedRow): WatchedExperiment {
  return { id, name, flag: { ...flag, changedAt: iso(flag.changedAt) }, ...armRowPair(rows) };
}

/** Returns the health of both arms. An arm without cases has none yet. */
function armRowPair({ arms: [control, changed], health }: ArmRows): ArmPair {
  const known = (arm = ''): ArmHealth => {
    const row = health.find((one) => one.arm === arm);
    if (row === undefined) return newArmHealth(arm);
    const { cusum, consecutive, cases, last } = row;
    return { arm, cusum, consecutive, cases, last };
  };
  return { control: known(control?.name), changed: known(changed?.name) };
}

async function count(
  tx: Transaction,
  experimentId: string,
  outcomes: Parameters<Flags['count']>[1],
  isOutage: (fault: string) => boolean,
): Promise<StepBack | null> {
  await tx.rows('select pg_advisory_xact_lock(hashtextextended($1, 13))', [`experiment ${experimentId}`]);
  const [state] = await tx.rows<StateRow>(STATE, [experimentId]);
  const [control, changed] = state?.arms ?? [];
  if (state === undefined || control === undefined || changed === undefined) return null;
  const rule = stepBackRule(state.limit);
  const asksSameModel = changed.settings.provider === undefined && changed.settings.model === undefined;
  let pair = armRowPair(state);
  const counted = [...pair.control.last, ...pair.changed.last]
    .map(({ event }) => event)
    .sort(byEvent)
    .at(-1);
  for (const { arm, ...outcome } of outcomes) {
    if (counted !== undefined && byEvent(outcome.event, counted) <= 0) continue;
    const { cause, ...next } = countOutcome(pair, arm, outcome, { rule, asksSameModel, isOutage });
    pair = next;
    if (cause === null) continue;
    await keep(tx, experimentId, pair);
    const stepBack = { flag: experimentFlag(experimentId), experimentId, arm, cause, health: pair.changed };
    await stepsBack(tx, stepBack, state.limit);
    return stepBack;
  }
  await keep(tx, experimentId, pair);
  return null;
}

async function keep(tx: Transaction, experimentId: string, { control, changed }: ArmPair): Promise<void> {
  for (const { arm, cusum, consecutive, cases, last } of [control, changed])
    if (cases > 0) await tx.rows(KEEP, [experimentId, arm, cusum, consecutive, cases, JSON.stringify(last)]);
}

async function stepsBack(tx: Transaction, { health, ...stepBack }: StepBack, limit: number): Promise<void> {
  const { flag, experimentId, arm, cause } = stepBack;
  const { cusum, consecutive, cases, last } = health;
  const reason =
    cause === 'error_rate'
      ? `arm ${arm} passed the error limit of ${limit * 100} % (score ${cusum.toFixed(1)})`
      : `arm ${arm} failed ${consecutive} times in a row`;
  await tx.rows(SET_OFF, [flag, reason]);
  await tx.rows(END, [experimentId]);
  await tx.rows(RETURN_PROMPTS, [experimentId]);
  const data = { ...stepBack, by: 'rule', reason, limit, score: cusum, consecutive, cases, last };
  await tx.rows(REPORT, [JSON.stringify(data)]);
}

/** Orders ids of events: by transaction, then by number. */
function byEvent(a: string, b: string): number {
  const [one, other] = [placeOfEvent(a), placeOfEvent(b)];
  const [first, second] =
    one.xid === other.xid ? [BigInt(one.id), BigInt(other.id)] : [BigInt(one.xid), BigInt(other.xid)];
  return first < second ? -1 : Number(first > second);
}
