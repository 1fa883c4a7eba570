// SQL parts that reserve amounts in budgets and settle reservations. Budget rows are locked after units, in
// the order of their keys. A flush runs several statements in one transaction, so two flushes could still
// deadlock. Therefore a statement that changes a budget shared by several cases first takes the advisory lock
// below.

import { assignments, tableColumns, insertInto } from '../columns.js';
import { rowSet } from '../row-set.js';

/** Arbitrary number of the advisory lock for shared budgets. */
const TURN = 0x6275_6467;

/** Requested reservations. */
export const RESERVATIONS = rowSet('wanted_rows', {
  i: 'int',
  ...tableColumns('budgets', 'key', 'window', 'measure', 'limit'),
  amount: 'bigint',
  soft_at: 'bigint',
});

/**
 * SQL of `settling`: the reserved and the actual amounts of finished calls, per budget.
 * @param calls a query with `i` and the reservations of each call.
 * @param charges actual amounts in dollars and tokens. null: the reserved worst case.
 */
export const settling = (
  calls: string,
  charges = { usd: 'x.charge_usd', tokens: 'x.charge_tokens' },
): string => `settling as (
    select e.key, e."window", min(x.i) as i, sum(e.amount)::bigint as reserved, sum(coalesce(
      case e.measure when 'usd' then ${charges.usd} else ${charges.tokens} end, e.amount))::bigint as spent
    from ${calls} x cross join lateral json_to_recordset(x.reservations)
      as e(key text, "window" text, measure text, amount bigint)
    group by e.key, e."window")`;

/** SQL of `budget`: the locked rows of these budgets, as the last writer left them. */
const lockBudgets = (touched: string): string => `touched as (${touched}),
  turn as (select pg_advisory_xact_lock(${TURN}) from touched where key not like 'case:%' limit 1),
  budget as (
    select l.* from (select * from touched order by key, "window") t cross join lateral (
      select * from budgets b where b.key = t.key and b."window" = t."window" for no key update) l
    where (select count(*) from turn) >= 0)`;

/** SQL that settles finished calls, for a statement that reserves nothing. */
export const SETTLED = `${lockBudgets('select key, "window" from settling')},
  settled as (
    update budgets b
    set ${assignments('budgets', {
      reserved: 'b.reserved - s.reserved',
      spent: 'b.spent + s.spent',
      changed_at: 'now()',
    })}
    from settling s join budget l on l.key = s.key and l."window" = s."window"
    where b.key = s.key and b."window" = s."window")`;

/**
 * SQL of `admitted`: the requests in `held` for whose reservations the budgets have room. Of each request, either
 * all reservations are made or none. `alone` marks a request for which there is room only without the other requests
 * of its batch. `known` marks a request whose budget has a row.
 */
export const reserving = (
  settles: boolean,
): string => `wanted as (select w.* from wanted_rows w join held h on h.i = w.i),
  ${lockBudgets(`select key, "window" from wanted ${settles ? 'union select key, "window" from settling' : 'group by 1, 2'}`)},
  judged as (
    select w.*, l.key is not null as known, w."limit" + coalesce(l.raised, 0) as room,
      l.reserved + l.spent ${settles ? '- coalesce(s.reserved - s.spent, 0)' : ''} as used
    from wanted w left join budget l on l.key = w.key and l."window" = w."window"
    ${settles ? 'left join settling s on s.key = w.key and s."window" = w."window"' : ''}),
  fitting as (
    select j.*, coalesce(j.used + j.amount <= j.room, false) as alone, coalesce(j.used
      + sum(j.amount) over (partition by j.key, j."window" order by j.i) <= j.room, false) as fits
    from judged j),
  admitted as (select h.* from held h where not exists (select from fitting f where f.i = h.i and not f.fits))`;

/**
 * SQL of `spending`: reserves for the calls in `intent` and settles finished ones, with one update per
 * budget. `crossed` marks a budget that passed its warning threshold with this update.
 */
export const spending = (settles: boolean): string => `delta as (
    select d.key, d."window", min(d.i) as i, sum(d.reserved)::bigint as reserved, sum(d.spent)::bigint as spent,
      max(d."limit") as "limit", min(d.soft_at) as soft_at
    from (
      select f.key, f."window", f.i, f.amount as reserved, 0 as spent, f."limit", f.soft_at
      from fitting f join request_rows q on q.i = f.i join intent n on n.id = q.id
      ${settles ? 'union all select key, "window", i, -reserved, spent, null, null from settling' : ''}) d
    group by d.key, d."window"),
  spending as (
    update budgets b
    set ${assignments('budgets', {
      reserved: 'b.reserved + d.reserved',
      spent: 'b.spent + d.spent',
      limit: 'coalesce(d."limit", b."limit")',
      changed_at: 'now()',
      warned: 'b.warned or coalesce(b.reserved + d.reserved + b.spent + d.spent >= d.soft_at, false)',
    })}
    from delta d join budget l on l.key = d.key and l."window" = d."window"
    where b.key = d.key and b."window" = d."window"
    returning d.i, b.key, b."window", b.measure, b."limit", b.reserved + b.spent as used,
      b.warned and not l.warned as crossed)`;

/** Rows (i, n, type, data) of the events `budget.soft`. */
export const SOFT_EVENTS = `
    select i, 1 as n, 'budget.soft' as type, json_build_object('key', key, 'window', "window", 'measure', measure,
    'limit', "limit", 'used', used) as data
  from spending where crossed`;

/**
 * Inserts the rows of new budgets. This is a separate statement, because a statement does not see its own
 * inserts.
 */
export const MAKE_BUDGETS = `
  ${insertInto('budgets', { key: 'key', window: '"window"', measure: 'measure', limit: '"limit"' })}
  from wanted_rows order by 1, 2 on conflict do nothing`;
