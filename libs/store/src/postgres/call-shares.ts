import type { CallShare, CallShares } from '@casefile/contracts';
import { SAVED_SHARE } from '../plan/call-share.js';
import type { Database } from './database.js';

const KNOWN = 'insert into provider_buckets (provider) values ($1) on conflict do nothing';

const saved = (perMinute: string): string => `greatest(1, ${perMinute} * ${SAVED_SHARE})`;
const refilled = (level: string, perMinute: string): string => `case when ${perMinute} is null then 'infinity'
  else least(${saved(perMinute)}, coalesce(${level} + greatest(0, age - refilled_ms) * ${perMinute} / 60000,
    ${saved(perMinute)})) end`;
const waitFor = (least: string, level: string, perMinute: string): string =>
  `case when ${perMinute} is null then 0 else greatest(0, ceil((${least} - ${level}) * 60000 / ${perMinute})) end`;

// $1 provider, $2 holder, $3 in use, $4 wants, $5 concurrency, $6 requests and $7 tokens a minute, $8 lease in ms.
// The row is locked first, so what is read of it is what the last writer left; the clock is read after the lock.
const TAKE = `
  with locked as (select * from provider_buckets where provider = $1 for no key update),
  aged as (select l.*, extract(epoch from clock_timestamp() - l.born_at)::float8 * 1000 as age from locked l),
  room as (
    select a.provider, a.age, ${refilled('a.requests', '$6::float8')} as requests,
      ${refilled('a.tokens', '$7::float8')} as tokens, others.held,
      (select coalesce(sum((o.value ->> 'n')::int), 0) from jsonb_each(others.held) o) as busy
    from aged a, lateral (
      select coalesce(jsonb_object_agg(h.key, h.value), '{}') as held from jsonb_each(a.holders) h
      where h.key <> $2 and (h.value ->> 'until')::float8 > a.age) others),
  want as (
    select w.need, w.place, sum(w.need) over (order by w.place) - w.need as before,
      least(w.need, ${saved('$7::float8')}) as least
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
      ${waitFor('n.least', 't.tokens', '$7::float8')})::float8 end as wait_ms
  from taken t, granted g left join want n on n.place = g.n + 1`;

/** The shared limits of providers: one statement over one locked row for all that a process asks at once. */
export function postgresCallShares(database: Database): CallShares {
  return {
    takeCallShare: async ({ provider, holder, inUse, wants, limits, leaseMs }) => {
      const { concurrency, requestsPerMinute, tokensPerMinute } = limits;
      const params = [
        provider,
        holder,
        inUse,
        wants,
        concurrency,
        requestsPerMinute,
        tokensPerMinute,
        leaseMs,
      ];
      const take = () => database.rows<{ granted: number; wait_ms: number | null }>(TAKE, params);
      let [row] = await take();
      if (row === undefined) {
        await database.rows(KNOWN, [provider]);
        [row] = await take();
      }
      return shareOf(row!);
    },
  };
}

function shareOf({ granted, wait_ms: waitMs }: { granted: number; wait_ms: number | null }): CallShare {
  return { granted, waitMs: waitMs === 0 ? null : waitMs };
}
