import type { IntentRequest, Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import { budgetExhausted } from '../plan/budget.js';
import { placeTaken } from '../plan/store-errors.js';
import {
  KNOWN_BUDGETS,
  reserving,
  SETTLED,
  settling,
  SOFT_EVENTS,
  spending,
  WANTED_COLUMNS,
} from './budget-sql.js';
import type { Database } from './database.js';
import type { HotWrite } from './hot-write.js';
import { callEvents, isCharged, recordCalls, recordResults, RESULT_EVENTS } from './journal-sql.js';
import {
  CALL_COLUMNS,
  HOLDS,
  inlineCallRow,
  inLockOrder,
  LEASE_COLUMNS,
  leaseRow,
  lockUnits,
  RESULT_COLUMNS,
  resultRow,
} from './record-rows.js';
import { RowSets } from './row-set.js';

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

const INTENT_COLUMNS = `${LEASE_COLUMNS}, id uuid, step int, attempt int, provider text, model text, prompt_id text,
  request_hash text, request json, draw json, route text, reservations json`;

const HELD = 'q.i, u.run_id, u.unit, u.case_id, u.lane, u.stage as done_stage, u.round as done_round';

// The unit's row is locked, so that nobody claims it between the look at the epoch and the intent.
function statement(requests: IntentRequest[]): { text: string; params: string[] } {
  const sets = new RowSets();
  const source = sets.add('q', INTENT_COLUMNS, inLockOrder(requests.map(intentRow)));
  const results = requests.flatMap((request, i) => request.results.map((result) => resultRow(i, result)));
  const calls = requests.flatMap(({ inlineToolCalls = [] }, i) =>
    inlineToolCalls.map((call) => inlineCallRow(i, call)),
  );
  const wanted = requests.flatMap(wantedRows);
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
    `held as (${lockUnits('req', HOLDS, HELD)})`,
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
      select from llm_interactions x where x.id = q.id and x.run_id = q.run_id and x.request_hash = q.request_hash
        and x.state = 'pending') as written, ${budgets ? REFUSAL : NO_REFUSAL}
    from held h join req q on q.i = h.i`;
  return { text, params: sets.params };
}

const intent = (admitted: string): string => `
  intent as (
    insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id,
      request_hash, request, draw, route, reservations)
    select q.id, q.run_id, q.unit, q.stage, q.round, q.step, q.attempt, q.provider, q.model, q.prompt_id,
      q.request_hash, q.request, q.draw, q.route, q.reservations
    from req q join ${admitted} h on h.i = q.i on conflict do nothing returning id)`;

const STARTED = `
  select q.i, 0 as n, 'interaction.started' as type, json_build_object('interactionId', q.id, 'stage', q.stage,
    'round', q.round, 'unit', q.unit, 'step', q.step, 'attempt', q.attempt, 'provider', q.provider,
    'model', q.model, 'promptId', q.prompt_id) as data
  from req q join intent n on n.id = q.id`;

const NO_REFUSAL = 'null as refused, false as worth_another, 0 as crossed';
const REFUSAL = `
  (select json_build_object('key', f.key, 'window', f."window") from fitting f where f.i = h.i and not f.fits
    order by f.key limit 1) as refused,
  (select bool_and(f.alone or not f.known) from fitting f where f.i = h.i) as worth_another,
  (select count(*)::int from spending s where s.i = h.i and s.crossed) as crossed`;

/** Writes many intents in one statement. Each fails by itself: CasefileError `interaction_exists`, `budget_exhausted`. */
export function intendWrite(database: Database, telemetry: Telemetry): HotWrite<IntentRequest, boolean> {
  return {
    statement,
    results: (requests, rows) => {
      const held = new Map((rows as IntentRow[]).map((row) => [row.i, row]));
      return requests.map(async (request, i) => {
        const row = held.get(i);
        if (row?.crossed) telemetry.count(METRICS.budgetSoft, {}, row.crossed);
        if (row === undefined) return false;
        if (row.written) return true;
        if (row.refused === null) throw placeTaken(request);
        return secondLook(database, telemetry, request, row);
      });
    },
  };
}

// One that was refused for others of its batch, or because its budget is new, is asked alone; then the word stands.
async function secondLook(
  database: Database,
  telemetry: Telemetry,
  request: IntentRequest,
  { worth_another: worth, refused }: IntentRow,
): Promise<boolean> {
  const { reservations = [] } = request;
  if (!worth) throw budgetExhausted(refused!);
  const of = (part: (one: (typeof reservations)[number]) => unknown) => reservations.map(part);
  await database.rows(KNOWN_BUDGETS, [
    of(({ key }) => key),
    of(({ window }) => window),
    of(({ measure }) => measure),
    of(({ limit }) => limit),
  ]);
  const { text, params } = statement([request]);
  const [row] = await database.rows<IntentRow>(text, params);
  if (row?.crossed) telemetry.count(METRICS.budgetSoft, {}, row.crossed);
  if (row?.refused && !row.written) throw budgetExhausted(row.refused);
  if (row?.written === false) throw placeTaken(request);
  return row !== undefined;
}

function wantedRows({ reservations = [] }: IntentRequest, i: number): object[] {
  return reservations.map(({ softAt, ...wanted }) => ({ i, ...wanted, soft: softAt }));
}

function intentRow(request: IntentRequest, i: number) {
  const { interaction } = request;
  return {
    ...leaseRow(i, request.lease),
    id: interaction.id,
    step: interaction.step,
    attempt: interaction.attempt,
    provider: interaction.provider,
    model: interaction.model,
    prompt_id: interaction.promptId,
    request_hash: interaction.requestHash,
    request: interaction.request,
    draw: interaction.draw,
    route: interaction.route,
    reservations: request.reservations?.map(({ key, window, measure, amount }) => ({
      ...{ key, window, measure, amount },
    })),
  };
}
