import {
  CasefileError,
  InvalidInput,
  type BudgetMeasure,
  type Budgets,
  type BudgetState,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordOf } from '../rows.js';
import { nothingDone } from '../store-errors.js';
import { redriveRuns } from './dead-letters.js';

const stateOf = recordOf<BudgetState>()([
  'key',
  'window',
  'measure',
  'limit',
  'reserved',
  'spent',
  'warned',
  'changedAt',
]);

const STATE = `key, "window", measure, ("limit" + raised)::float8 as "limit", reserved::float8, spent::float8, warned,
  changed_at`;

const STATES = `
  select ${STATE} from budgets
  where (key, "window") in (
    (select key, "window" from budgets order by changed_at desc, key, "window" limit $1)
    union select * from unnest($2::text[], $3::text[]))
  order by changed_at desc, key, "window"`;

/** Reads and raises budgets. The statements that write intents and results also write budgets. */
export function postgresBudgets(database: Database): Budgets {
  return {
    states: async (limit, named = []) => {
      const keys = named.map(({ key }) => key);
      const windows = named.map(({ window }) => window);
      const rows = await database.rows(STATES, [limit, keys, windows]);
      return rows.map(stateOf);
    },
    raise: (raise) => database.transaction((tx) => raiseIn(tx, raise)),
  };
}

const PARKED = `
  select r.id, e.data ->> 'key' as key, e.data ->> 'window' as "window" from runs r join events e on e.run_id = r.id
  where r.case_id = $1 and r.status = 'parked' and r.reason_code = 'budget_exhausted' and e.type = 'budget.exhausted'
  order by r.created_at desc, e.id desc limit 1`;
const RAISE = `
  update budgets set raised = raised + $3::bigint, changed_at = now() where key = $1 and "window" = $2
  returning ${STATE}`;
const TELL = `
  insert into events (type, case_id, run_id, data) values ('operator.raised-budget', $1, $2,
    json_build_object('key', $3::text, 'window', $4::text, 'amount', $5::float8, 'by', $6::text))`;

// Locks the unit before the budget, like every writer of both. If two calls raise the budget concurrently,
// the second finds no waiting run.
async function raiseIn(tx: Queryable, { caseId, measure, amount, by }: Parameters<Budgets['raise']>[0]) {
  type Parked = { id: string; key: string; window: string };
  const [parked] = isUuid(caseId) ? await tx.rows<Parked>(PARKED, [caseId]) : [];
  if (parked === undefined) throw await nothingParked(tx, caseId);
  const { id: runId, key, window } = parked;
  const counted: BudgetMeasure = key.endsWith(':usd') ? 'usd' : 'tokens';
  if (counted !== measure)
    throw new InvalidInput(
      [{ path: counted, message: `expected ${counted}, which ${key} counts` }],
      'budget',
    );
  const { nudges } = await redriveRuns(tx, [runId]);
  if (nudges.length === 0) throw await nothingParked(tx, caseId);
  const [row] = await tx.rows(RAISE, [key, window, amount]);
  if (row === undefined) throw new CasefileError('unexpected', `there is no budget ${key} for ${window}`);
  await tx.rows(TELL, [caseId, runId, key, window, amount, by]);
  return { runId, budget: stateOf(row), nudges };
}

function nothingParked(tx: Queryable, caseId: string): Promise<CasefileError> {
  return nothingDone(tx, caseId, new CasefileError('conflict', 'no run of the case waits for a budget'));
}
