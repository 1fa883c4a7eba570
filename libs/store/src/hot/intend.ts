import type { Interactions, IntentRequest, Telemetry, ToolIntentRequest } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import { budgetExhausted, placeTaken } from '../store-errors.js';
import {
  knownBudgets,
  reserving,
  SETTLED,
  settling,
  SOFT_EVENTS,
  spending,
  WANTED_COLUMNS,
} from './budget-sql.js';
import type { Database, Statement } from '../database.js';
import type { HotWrite, WriteLane } from '../write-lane.js';
import { isUuid, RowSets } from '../row-set.js';
import { callEvents, recordCalls, recordResults, RESULT_EVENTS } from './journal-sql.js';
import {
  CALL_COLUMNS,
  HOLDS,
  inlineCallRow,
  inLockOrder,
  isCharged,
  LEASE_COLUMNS,
  lockUnits,
  RESULT_COLUMNS,
  resultRow,
} from './record-rows.js';

/** What the statement says of each request whose lease holds. */
interface IntentRow {
  i: number;
  /** Was it written now, or by an earlier try of the same request? */
  written: boolean;
  /** The first budget that had no room, when one had none. */
  refused: { key: string; window: string } | null;
  /** There is a row for every budget, and it would have fitted but for others of its batch. */
  worth_another: boolean;
  /** Budgets that are nearly used up by it. */
  crossed: number;
}

/** By what right an intent is written: a stage's lease, or that of one of its tool calls. */
interface Right<Request> {
  columns: string;
  rows(requests: Request[]): object[];
  /** A query with (i, run_id, unit, case_id, lane, done_stage, done_round, tool_call_id) of those whose lease holds. */
  held: string;
}

const ASKED_COLUMNS = `id uuid, step int, attempt int, provider text, model text, prompt_id text, request_hash text,
  request json, draw json, route text, reservations json`;

// The unit's row is locked, so that nobody claims it between the look at the epoch and the intent.
const OF_STAGES: Right<IntentRequest> = {
  columns: `${LEASE_COLUMNS}, ${ASKED_COLUMNS}`,
  rows: (requests) => inLockOrder(requests.map(askedRow)),
  held: lockUnits(
    'req',
    HOLDS,
    `q.i, u.run_id, u.unit, u.case_id, u.lane, u.stage as done_stage, u.round as done_round,
     null::uuid as tool_call_id`,
  ),
};

// Whoever settles a tool call or claims it again locks its row first, and budgets after it, as here.
const OF_TOOLS: Right<ToolIntentRequest> = {
  columns: `i int, tool_call_id uuid, epoch int, ${ASKED_COLUMNS}`,
  rows: (requests) => requests.map(askedRow),
  held: `
    select q.i, t.run_id, t.unit, t.case_id, t.lane, t.stage as done_stage, t.round as done_round, t.id as tool_call_id
    from req q cross join lateral (
      select * from tool_calls t where t.id = q.tool_call_id and t.epoch = q.epoch and t.state = 'running'
      for no key update) t`,
};

function askedRow<L extends object>(
  { lease, interaction, reservations }: AnyRequest & { lease: L },
  i: number,
) {
  const reserved = reservations?.map(({ key, window, measure, amount }) => ({
    key,
    window,
    measure,
    amount,
  }));
  return { ...interaction, i, ...lease, reservations: reserved };
}

type AnyRequest = Pick<IntentRequest, 'results' | 'interaction' | 'reservations' | 'inlineToolCalls'>;

function statement<Request extends AnyRequest>(right: Right<Request>, requests: Request[]): Statement {
  const sets = new RowSets();
  const source = sets.add('q', right.columns, right.rows(requests));
  const results = requests.flatMap((request, i) => request.results.map((result) => resultRow(i, result)));
  const calls = requests.flatMap(({ inlineToolCalls = [] }, i) =>
    inlineToolCalls.map((call) => inlineCallRow(i, call)),
  );
  const wanted = requests.flatMap(({ reservations = [] }, i) => reservations.map((want) => ({ i, ...want })));
  const settles = wanted.length > 0 && results.some(isCharged);
  const journal = results.length === 0 ? [] : [recordResults(sets.add('p', RESULT_COLUMNS, results), 'held')];
  if (results.some(isCharged)) journal.push(settling('result'));
  if (results.some(isCharged) && !settles) journal.push(SETTLED);
  if (calls.length > 0) journal.push(recordCalls(sets.add('c', CALL_COLUMNS, calls), 'held'));
  const told = [STARTED];
  if (results.length > 0) told.push(RESULT_EVENTS);
  if (calls.length > 0) told.push(callEvents('held'));
  const budgets = wanted.length > 0;
  if (budgets) journal.push(reserving(sets.add('w', WANTED_COLUMNS, wanted), settles));
  if (budgets) told.push(SOFT_EVENTS);
  const parts = [
    `req as (select * from ${source})`,
    `held as (${right.held})`,
    ...journal,
    intent(budgets ? 'admitted' : 'held'),
    ...(budgets ? [spending(settles)] : []),
    `told as (
      insert into events (type, case_id, run_id, data)
      select t.type, h.case_id, h.run_id, t.data from (${told.join(' union all ')}) t
      join held h on h.i = t.i order by t.i, t.n)`,
  ];
  const text = `
    with ${parts.join(',\n')}
    select h.i, exists (select from intent n where n.id = q.id) or exists (
      select from llm_interactions x where x.id = q.id and x.run_id = h.run_id and x.request_hash = q.request_hash
        and x.state = 'pending') as written, ${budgets ? REFUSAL : NO_REFUSAL}
    from held h join req q on q.i = h.i`;
  return { text, params: sets.params };
}

const intent = (admitted: string): string => `
  intent as (
    insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id,
      request_hash, request, draw, route, reservations, tool_call_id)
    select q.id, h.run_id, h.unit, h.done_stage, h.done_round, q.step, q.attempt, q.provider, q.model, q.prompt_id,
      q.request_hash, q.request, q.draw, q.route, q.reservations, h.tool_call_id
    from req q join ${admitted} h on h.i = q.i on conflict do nothing returning id)`;

const STARTED = `
  select q.i, 0 as n, 'interaction.started' as type, json_build_object('interactionId', q.id, 'stage', h.done_stage,
    'round', h.done_round, 'unit', h.unit, 'toolCallId', h.tool_call_id, 'step', q.step, 'attempt', q.attempt,
    'provider', q.provider, 'model', q.model, 'promptId', q.prompt_id) as data
  from req q join intent n on n.id = q.id join held h on h.i = q.i`;

const NO_REFUSAL = 'null as refused, false as worth_another, 0 as crossed';
const REFUSAL = `
  (select json_build_object('key', f.key, 'window', f."window") from fitting f where f.i = h.i and not f.fits
    order by f.key limit 1) as refused,
  (select bool_and(f.alone or not f.known) from fitting f where f.i = h.i) as worth_another,
  (select count(*)::int from spending s where s.i = h.i and s.crossed) as crossed`;

// Many intents in one statement; each fails by itself.
function intendWrite(database: Database, telemetry: Telemetry): HotWrite<IntentRequest, boolean> {
  return {
    statement: (requests) => statement(OF_STAGES, requests),
    results: (requests, rows) => {
      const held = new Map((rows as IntentRow[]).map((row) => [row.i, row]));
      return requests.map((request, i) =>
        answerOf(database, telemetry, request, held.get(i), alone(database, OF_STAGES, request)),
      );
    },
  };
}

/** Model calls, written before they are made, in Postgres. */
export function postgresInteractions(
  database: Database,
  lane: WriteLane,
  telemetry: Telemetry,
): Interactions {
  return {
    intend: lane.entrance('intend', intendWrite(database, telemetry)),
    // In a transaction of its own: in the lane its lock on the tool call would come after budgets that others of the
    // flush have locked.
    intendForTool: async (request) => {
      if (!isUuid(request.lease.toolCallId)) return false;
      const ask = alone(database, OF_TOOLS, request);
      return answerOf(database, telemetry, request, await ask(), ask);
    },
  };
}

function alone<Request extends AnyRequest>(database: Database, right: Right<Request>, request: Request) {
  return async (): Promise<IntentRow | undefined> => {
    const { text, params } = statement(right, [request]);
    return (await database.rows<IntentRow>(text, params))[0];
  };
}

async function answerOf(
  database: Database,
  telemetry: Telemetry,
  request: Pick<IntentRequest, 'interaction' | 'reservations'>,
  row: IntentRow | undefined,
  again: () => Promise<IntentRow | undefined>,
): Promise<boolean> {
  if (row?.crossed) telemetry.count(METRICS.budgetSoft, {}, row.crossed);
  if (row === undefined) return false;
  if (row.written) return true;
  if (row.refused === null) throw placeTaken(request);
  if (!row.worth_another) throw budgetExhausted(row.refused);
  const sets = new RowSets();
  await database.rows(knownBudgets(sets.add('w', WANTED_COLUMNS, request.reservations ?? [])), sets.params);
  // One that was refused for others of its batch, or because its budget is new, is asked alone; then the word stands.
  const second = await again();
  if (second?.crossed) telemetry.count(METRICS.budgetSoft, {}, second.crossed);
  if (second?.refused && !second.written) throw budgetExhausted(second.refused);
  if (second?.written === false) throw placeTaken(request);
  return second !== undefined;
}
