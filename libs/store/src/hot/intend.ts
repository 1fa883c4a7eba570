import type { Interactions, IntentRequest, ToolIntentRequest } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import { budgetExhausted, placeTaken } from '../store-errors.js';
import { tableColumns, copyColumns, insertInto, columnList, type RowOf } from '../columns.js';
import {
  MAKE_BUDGETS,
  RESERVATIONS,
  reserving,
  SETTLED,
  settling,
  SOFT_EVENTS,
  spending,
} from './budget-sql.js';
import type { Database, Statement } from '../database.js';
import type { HotWrite, LaneParts, WriteLane } from '../write-lane.js';
import { isUuid, rowSet, WithClause, type RowSet } from '../row-set.js';
import { CALL_EVENTS, RECORD_CALLS, RECORD_RESULTS, RESULT_EVENTS } from './journal-sql.js';
import {
  CALLS,
  HOLDS,
  inlineCallRow,
  inLockOrder,
  isCharged,
  LEASE,
  lockUnits,
  RESULTS,
  resultRow,
} from './record-rows.js';

/** Result of the statement for each request whose lease holds. */
interface IntentRow {
  i: number;
  /** Whether the intent is written, by this attempt or an earlier attempt of the same request. */
  written: boolean;
  /** The first budget that is too small for the call. null: every budget suffices. */
  refused: { key: string; window: string } | null;
  /**
   * Whether a second attempt may succeed: the request would have fitted alone, or a budget had no row yet.
   */
  worth_another: boolean;
  /** Number of budgets whose warning threshold this request passed. */
  crossed: number;
}

/** A model call that is about to be made. */
const ASKED = {
  ...tableColumns(
    'llm_interactions',
    'id',
    'step',
    'attempt',
    'provider',
    'model',
    'prompt_id',
    'request_hash',
  ),
  ...tableColumns('llm_interactions', 'request', 'draw', 'route', 'reservations'),
} as const;

/** The lease that permits an intent: that of a stage, or that of one of its tool calls. */
interface Right<Row extends object> {
  requests: RowSet<Row>;
  /**
   * Rows (i, run_id, unit, case_id, lane, done_stage, done_round, tool_call_id) of the requests whose lease
   * holds.
   */
  held: string;
}

// Locks the unit's row, so that no other worker claims the unit between the check of the epoch and the
// intent.
const OF_STAGE: Right<RowOf<typeof LEASE & typeof ASKED>> = {
  requests: rowSet('request_rows', { ...LEASE, ...ASKED }),
  held: lockUnits(
    HOLDS,
    `q.i, ${columnList('units', 'u', 'run_id', 'unit', 'case_id', 'lane')}, u.stage as done_stage, u.round as done_round,
      null::uuid as tool_call_id`,
  ),
};

const TOOL_LEASE = { i: 'int', tool_call_id: 'uuid', epoch: 'int' } as const;
// Locks the call's row first and budgets after it, like every writer of tool calls.
const OF_TOOL: Right<RowOf<typeof TOOL_LEASE & typeof ASKED>> = {
  requests: rowSet('request_rows', { ...TOOL_LEASE, ...ASKED }),
  held: `
    select q.i, ${columnList('tool_calls', 't', 'run_id', 'unit', 'case_id', 'lane')}, t.stage as done_stage,
      t.round as done_round, t.id as tool_call_id
    from request_rows q cross join lateral (
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

/**
 * Returns one statement for many intents, each of which may be refused. It also writes the results that the
 * workers have collected since their last write.
 */
function statement<Row extends object>(right: Right<Row>, rows: Row[], requests: AnyRequest[]): Statement {
  const results = requests.flatMap((request, i) => request.results.map((result) => resultRow(i, result)));
  const calls = requests.flatMap(({ inlineToolCalls = [] }, i) =>
    inlineToolCalls.map((call) => inlineCallRow(i, call)),
  );
  const wanted = requests.flatMap(({ reservations = [] }, i) => reservations.map((want) => ({ i, ...want })));
  const reserves = wanted.length > 0;
  const settles = results.some(isCharged);
  const parts = new WithClause().rows(right.requests, rows, `held as (${right.held})`);
  const events = [STARTED];
  if (parts.someRows(RESULTS, results, RECORD_RESULTS)) events.push(RESULT_EVENTS);
  if (settles) parts.add(settling('result'), ...(reserves ? [] : [SETTLED]));
  if (parts.someRows(CALLS, calls, RECORD_CALLS)) events.push(CALL_EVENTS);
  if (parts.someRows(RESERVATIONS, wanted, reserving(settles))) events.push(SOFT_EVENTS);
  parts.add(reserves ? ADMITTED_INTENT : INTENT);
  if (reserves) parts.add(settles ? SPENDING_AND_SETTLING : SPENDING);
  parts.add(report(events));
  return parts.statement(`
  select h.i, exists (select from intent n where n.id = q.id)
    or is_call_pending(h.run_id, q.id, q.request_hash) as written, ${reserves ? REFUSAL : NO_REFUSAL}
  from held h join request_rows q on q.i = h.i`);
}

const intent = (admitted: string): string => `intent as (
    ${insertInto('llm_interactions', {
      id: 'q.id',
      run_id: 'h.run_id',
      unit: 'h.unit',
      stage: 'h.done_stage',
      round: 'h.done_round',
      ...copyColumns('q', 'step', 'attempt', 'provider', 'model', 'prompt_id', 'request_hash', 'request'),
      ...copyColumns('q', 'draw', 'route', 'reservations'),
      tool_call_id: 'h.tool_call_id',
    })}
    from request_rows q join ${admitted} h on h.i = q.i on conflict do nothing returning id)`;

// Built once, because statements are composed at every flush.
const INTENT = intent('held');
const ADMITTED_INTENT = intent('admitted');
const SPENDING = spending(false);
const SPENDING_AND_SETTLING = spending(true);
const INSERT_EVENTS = insertInto('events', {
  type: 't.type',
  case_id: 'h.case_id',
  run_id: 'h.run_id',
  data: 't.data',
});

const STARTED = `
    select q.i, 0 as n, 'interaction.started' as type, json_build_object('interactionId', q.id, 'stage', h.done_stage,
      'round', h.done_round, 'unit', h.unit, 'toolCallId', h.tool_call_id, 'step', q.step, 'attempt', q.attempt,
      'provider', q.provider, 'model', q.model, 'promptId', q.prompt_id) as data
    from request_rows q join intent n on n.id = q.id join held h on h.i = q.i`;

const report = (events: string[]): string => `reported as (
    ${INSERT_EVENTS}
    from (${events.join(' union all ')}) t join held h on h.i = t.i order by t.i, t.n)`;

const NO_REFUSAL = 'null as refused, false as worth_another, 0 as crossed';
const REFUSAL = `
    (select json_build_object('key', f.key, 'window', f."window") from fitting f where f.i = h.i and not f.fits
      order by f.key limit 1) as refused,
    (select bool_and(f.alone or not f.known) from fitting f where f.i = h.i) as worth_another,
    (select count(*)::int from spending s where s.i = h.i and s.crossed) as crossed`;

const intendWrite: HotWrite<IntentRequest, boolean> = {
  name: 'intend',
  statement: (requests) => statement(OF_STAGE, inLockOrder(requests.map(askedRow)), requests),
  results: (requests, rows, parts) => {
    const held = new Map((rows as IntentRow[]).map((row) => [row.i, row]));
    return requests.map((request, i) =>
      databaseAnswer(parts, request, held.get(i), () =>
        intendAlone(parts.database, OF_STAGE, askedRow(request, 0), request),
      ),
    );
  },
};

/** Records model calls in Postgres before they are made. */
export class PostgresInteractions implements Interactions {
  constructor(
    private readonly parts: LaneParts,
    private readonly lane: WriteLane,
  ) {}

  intend(request: IntentRequest): Promise<boolean> {
    return this.lane.write(intendWrite, request);
  }

  // Uses a separate transaction. In the write lane, the tool call would be locked after other requests of
  // the flush have locked budgets, which could deadlock.
  async intendForTool(request: ToolIntentRequest): Promise<boolean> {
    if (!isUuid(request.lease.toolCallId)) return false;
    const ask = () => intendAlone(this.parts.database, OF_TOOL, askedRow(request, 0), request);
    return databaseAnswer(this.parts, request, await ask(), ask);
  }
}

async function intendAlone<Row extends object>(
  database: Database,
  right: Right<Row>,
  row: Row,
  request: AnyRequest,
): Promise<IntentRow | undefined> {
  const { text, params } = statement(right, [row], [request]);
  return (await database.rows<IntentRow>(text, params))[0];
}

async function databaseAnswer(
  { database, telemetry }: LaneParts,
  request: Pick<IntentRequest, 'interaction' | 'reservations'>,
  row: IntentRow | undefined,
  again: () => Promise<IntentRow | undefined>,
): Promise<boolean> {
  if (row?.crossed) telemetry.count(METRICS.budgetSoft, {}, row.crossed);
  if (row === undefined) return false;
  if (row.written) return true;
  if (row.refused === null) throw placeTaken(request);
  if (!row.worth_another) throw budgetExhausted(row.refused);
  const wanted = (request.reservations ?? []).map((want) => ({ i: 0, ...want }));
  const { text, params } = new WithClause().rows(RESERVATIONS, wanted).statement(MAKE_BUDGETS);
  await database.rows(text, params);
  // A request may be refused because of other requests in its batch, or because its budget is new. It is
  // retried once, alone, and that result is final.
  const second = await again();
  if (second?.crossed) telemetry.count(METRICS.budgetSoft, {}, second.crossed);
  if (second?.refused && !second.written) throw budgetExhausted(second.refused);
  if (second?.written === false) throw placeTaken(request);
  return second !== undefined;
}
