import type { CircuitState, ProviderState, ProviderStates } from '@casefile/contracts';
import type { Database } from './database.js';
import { iso } from './rows.js';

interface StateRow {
  provider: string;
  state: CircuitState;
  probe_in_ms: number;
  reason: string | null;
  failures: number;
  changed_at: Date;
}

const SHOWN = `p.provider, p.state, p.reason, p.failures, p.changed_at, case when p.state = 'closed' then 0
  else greatest(0, extract(epoch from greatest(p.opened_until, p.probe_until) - now()) * 1000)::float8 end as probe_in_ms`;

/** Tells of a circuit that changed: `was` is the row under the lock, `p` the row as it was written. */
const told = (written: string): string => `
  told as (
    insert into events (type, data)
    select 'provider.circuit', json_build_object('provider', p.provider, 'from', w.state, 'state', p.state,
      'reason', p.reason, 'failures', p.failures)
    from ${written} p join was w on w.provider = p.provider where w.state <> p.state)`;

const WAS = 'was as (select * from provider_states where provider = $1 for no key update)';

// A row that is new is written by a statement of its own: what a statement inserts it does not see.
const KNOWN = 'insert into provider_states (provider) values ($1) on conflict do nothing';

// Opened when it was being probed, at the bound, or at once; a call that was under way when the circuit opened adds
// to its count, not to its time.
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
  ${told('written')}
  select ${SHOWN} from written p`;

const SUCCEEDED = `
  with ${WAS},
  written as (
    update provider_states p set state = 'closed', failures = 0, openings = 0, opened_until = null,
      probe_until = null, reason = null, changed_at = case when w.state = 'closed' then w.changed_at else now() end
    from was w where p.provider = w.provider returning p.*),
  ${told('written')}
  select ${SHOWN} from written p`;

const PROBE = `
  with ${WAS},
  written as (
    update provider_states p set state = 'half-open', probe_until = now() + $2::float8 * interval '1 ms',
      changed_at = case when w.state = 'half-open' then w.changed_at else now() end
    from was w where p.provider = w.provider and w.state <> 'closed' and w.opened_until <= now()
      and (w.probe_until is null or w.probe_until <= now()) returning p.*),
  ${told('written')}
  select provider from written`;

// One of the woken makes the probe; more are woken for it to be made soon, not all of what may be thousands.
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

/** The circuits of providers; each change is one statement over one locked row. */
export function postgresProviderStates(database: Database): ProviderStates {
  const write = async (text: string, provider: string, params: unknown[]): Promise<ProviderState> => {
    const [row] = await database.rows<StateRow>(text, [provider, ...params]);
    if (row !== undefined) return stateOf(row);
    await database.rows(KNOWN, [provider]);
    const [first] = await database.rows<StateRow>(text, [provider, ...params]);
    return stateOf(first!);
  };
  return {
    providerStates: async () => {
      const rows = await database.rows<StateRow>(
        `select ${SHOWN} from provider_states p order by p.provider`,
      );
      return rows.map(stateOf);
    },
    providerFailed: ({ provider, reasonCode, openAfter, openMs, maxOpenMs }) =>
      write(FAILED, provider, [reasonCode, openAfter, openMs, maxOpenMs]),
    providerSucceeded: (provider) => write(SUCCEEDED, provider, []),
    tryProvider: async (provider) => {
      const [row] = await database.rows<StateRow>(TRY, [provider]);
      return row === undefined ? null : stateOf(row);
    },
    claimProbe: async (provider, leaseMs) => (await database.rows(PROBE, [provider, leaseMs])).length > 0,
  };
}

function stateOf(row: StateRow): ProviderState {
  const { provider, state, reason, failures } = row;
  return { provider, state, probeInMs: row.probe_in_ms, reason, failures, changedAt: iso(row.changed_at) };
}
