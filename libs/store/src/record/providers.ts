import type { CallShare, Providers, ProviderState } from '@casefile/contracts';
import type { Database } from '../database.js';
import { recordOf } from '../rows.js';

/**
 * Share of a minute's requests or tokens that can accumulate: ten seconds' worth. So no minute exceeds its
 * limit by more than that.
 */
const SAVED_SHARE = 1 / 6;

const stateOf = recordOf<ProviderState>()([
  'provider',
  'state',
  'probeInMs',
  'reason',
  'failures',
  'changedAt',
]);

const SHOWN = `p.provider, p.state, p.reason, p.failures, p.changed_at, case when p.state = 'closed' then 0
  else greatest(0, extract(epoch from greatest(p.opened_until, p.probe_until) - now()) * 1000)::float8 end as probe_in_ms`;

/** SQL that logs the change of a circuit. `was`: the locked row; `p`: the written row. */
const toldWritten = (written: string): string => `
  told as (
    insert into events (type, data)
    select 'provider.circuit', json_build_object('provider', p.provider, 'from', w.state, 'state', p.state,
      'reason', p.reason, 'failures', p.failures)
    from ${written} p join was w on w.provider = p.provider where w.state <> p.state)`;

const WAS = 'was as (select * from provider_states where provider = $1 for no key update)';

const KNOWN_PROVIDER = 'insert into provider_states (provider) values ($1) on conflict do nothing';

// Opens the circuit if it was being probed, if the failures reach the limit, or immediately on request. A
// call that was already running when the circuit opened raises the count but does not extend the open time.
const FAILED = `
  with ${WAS},
  judged as (
    select w.*, w.state = 'half-open' or (w.failures + 1 >= $3::int and (w.state <> 'open' or $3::int = 1)) as opens,
      w.openings + (w.state <> 'open')::int as times from was w),
  written as (
    update provider_states p set failures = j.failures + 1, reason = $2,
      state = case when j.opens then 'open' else j.state end,
      openings = case when j.opens then j.times else j.openings end,
      probe_until = case when j.opens then null else j.probe_until end,
      opened_until = case when j.opens then greatest(j.opened_until, now() + interval '1 ms'
        * least($4::float8 * 2 ^ (j.times - 1), greatest($4::float8, $5::float8))) else j.opened_until end,
      changed_at = case when j.opens and j.state <> 'open' then now() else j.changed_at end
    from judged j where p.provider = j.provider returning p.*),
  ${toldWritten('written')}
  select ${SHOWN} from written p`;

const SUCCEEDED = `
  with ${WAS},
  written as (
    update provider_states p set state = 'closed', failures = 0, openings = 0, opened_until = null,
      probe_until = null, reason = null, changed_at = case when w.state = 'closed' then w.changed_at else now() end
    from was w where p.provider = w.provider returning p.*),
  ${toldWritten('written')}
  select ${SHOWN} from written p`;

const PROBE = `
  with ${WAS},
  written as (
    update provider_states p set state = 'half-open', probe_until = now() + $2::float8 * interval '1 ms',
      changed_at = case when w.state = 'half-open' then w.changed_at else now() end
    from was w where p.provider = w.provider and w.state <> 'closed' and w.opened_until <= now()
      and (w.probe_until is null or w.probe_until <= now()) returning p.*),
  ${toldWritten('written')}
  select provider from written`;

// One of the woken runs makes the probe. Several are woken so that the probe happens soon, but not all,
// because there may be thousands.
const TRY = `
  with ${WAS},
  written as (
    update provider_states p set opened_until = now(), probe_until = null
    from was w where p.provider = w.provider and w.state <> 'closed' returning p.*),
  waiting as (
    select u.run_id, u.unit from units u join runs r on r.id = u.run_id
    where u.sweep_minute is not null and u.status = 'due' and u.held and r.settings ->> 'provider' = $1
      and exists (select from written)
    order by u.resume_at limit 100 for no key update of u skip locked),
  woken as (
    update units u set resume_at = now() from waiting f where u.run_id = f.run_id and u.unit = f.unit),
  noted as (
    insert into events (type, data)
    select 'operator.tried-provider', json_build_object('provider', w.provider, 'state', w.state) from was w)
  select ${SHOWN} from written p union all select ${SHOWN} from was p where p.state = 'closed'`;

const KNOWN_BUCKET = 'insert into provider_buckets (provider) values ($1) on conflict do nothing';

const savedPerMinute = (perMinute: string): string => `greatest(1, ${perMinute} * ${SAVED_SHARE})`;
const refilledLevel = (
  level: string,
  perMinute: string,
): string => `case when ${perMinute} is null then 'infinity'
  else least(${savedPerMinute(perMinute)}, coalesce(${level} + greatest(0, age - refilled_ms) * ${perMinute} / 60000,
    ${savedPerMinute(perMinute)})) end`;
const waitFor = (least: string, level: string, perMinute: string): string =>
  `case when ${perMinute} is null then 0 else greatest(0, ceil((${least} - ${level}) * 60000 / ${perMinute})) end`;

// $1: provider; $2: holder; $3: in use; $4: requested; $5: concurrency; $6: requests and $7: tokens per
// minute; $8: lease in ms. The row is locked first, so that the newest values are read. The clock is read
// after the lock.
const TAKE = `
  with locked as (select * from provider_buckets where provider = $1 for no key update),
  aged as (select l.*, extract(epoch from clock_timestamp() - l.born_at)::float8 * 1000 as age from locked l),
  room as (
    select a.provider, a.age, ${refilledLevel('a.requests', '$6::float8')} as requests,
      ${refilledLevel('a.tokens', '$7::float8')} as tokens, others.held,
      (select coalesce(sum((o.value ->> 'n')::int), 0) from jsonb_each(others.held) o) as busy
    from aged a, lateral (
      select coalesce(jsonb_object_agg(h.key, h.value), '{}') as held from jsonb_each(a.holders) h
      where h.key <> $2 and (h.value ->> 'until')::float8 > a.age) others),
  want as (
    select w.need, w.place, sum(w.need) over (order by w.place) - w.need as before,
      least(w.need, ${savedPerMinute('$7::float8')}) as least
    from unnest($4::float8[]) with ordinality as w(need, place)),
  may as (
    select w.need, bool_and(($5::int is null or r.busy + $3::int + w.place <= $5::int) and w.place <= r.requests
      and w.before + coalesce(w.least, 0) <= r.tokens) over (order by w.place) as goes
    from want w, room r),
  granted as (select count(*)::int as n, coalesce(sum(need), 0) as tokens from may where goes),
  taken as (
    update provider_buckets b set refilled_ms = greatest(b.refilled_ms, r.age),
      requests = case when $6::float8 is null then null else r.requests - g.n end,
      tokens = case when $7::float8 is null then null else r.tokens - g.tokens end,
      holders = case when $3::int + g.n = 0 then r.held else r.held
        || jsonb_build_object($2::text, jsonb_build_object('n', $3::int + g.n, 'until', r.age + $8::float8)) end
    from room r, granted g where b.provider = r.provider
    returning b.requests, b.tokens)
  select g.n as granted, case when n.need is not null then greatest(
      ${waitFor('1', 't.requests', '$6::float8')},
      ${waitFor('n.least', 't.tokens', '$7::float8')})::float8 end as "waitMs"
  from taken t, granted g left join want n on n.place = g.n + 1`;

/**
 * Circuits and shared limits of providers. Each change of a circuit is one statement on one locked row, and
 * so is each request of a process for permission to make calls.
 */
export function postgresProviders(database: Database): Providers {
  // A new row is inserted by a separate statement, because a statement does not see its own inserts.
  const write = async <R extends object>(text: string, known: string, params: unknown[]): Promise<R> => {
    const [row] = await database.rows<R>(text, params);
    if (row !== undefined) return row;
    await database.rows(known, params.slice(0, 1));
    const [first] = await database.rows<R>(text, params);
    return first!;
  };
  return {
    states: async () => {
      const rows = await database.rows(`select ${SHOWN} from provider_states p order by p.provider`);
      return rows.map(stateOf);
    },
    failed: async ({ provider, reasonCode, openAfter, openMs, maxOpenMs }) => {
      const params = [provider, reasonCode, openAfter, openMs, maxOpenMs];
      return stateOf(await write(FAILED, KNOWN_PROVIDER, params));
    },
    succeeded: async (provider) => stateOf(await write(SUCCEEDED, KNOWN_PROVIDER, [provider])),
    tryNow: async (provider) => {
      const [row] = await database.rows(TRY, [provider]);
      return row === undefined ? null : stateOf(row);
    },
    takeShare: async ({ provider, holder, inUse, wants, limits, leaseMs }) => {
      const rates = [limits.concurrency, limits.requestsPerMinute, limits.tokensPerMinute];
      const params = [provider, holder, inUse, wants, ...rates, leaseMs];
      const { granted, waitMs } = await write<CallShare>(TAKE, KNOWN_BUCKET, params);
      return { granted, waitMs: waitMs === 0 ? null : waitMs };
    },
    claimProbe: async (provider, leaseMs) => (await database.rows(PROBE, [provider, leaseMs])).length > 0,
  };
}
