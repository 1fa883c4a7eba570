/** Settings of Postgres with which statements run. */
interface SessionSetting {
  name: string;
  value: string;
  /** Oldest `server_version_num` to which it applies. Default: all. */
  from?: number;
}

// Sequential scans are disabled: every statement has a suitable index, but a plan cached while a table was
// empty would keep scanning the whole table. JIT is disabled: compiling costs more than running any of these
// statements. Generic plans are forced: all parameters are JSON, so planning again never finds a better plan.
// Dates are read in the form of ISO, whatever the database or the role prefers.
// From Postgres 18 on, no partition is chosen at run time: the server can crash (decision 0100).
const SETTINGS: readonly SessionSetting[] = [
  { name: 'enable_seqscan', value: 'off' },
  { name: 'jit', value: 'off' },
  { name: 'plan_cache_mode', value: 'force_generic_plan' },
  { name: 'datestyle', value: 'ISO, MDY' },
  { name: 'enable_partition_pruning', value: 'off', from: 180_000 },
];

const VERSION = `current_setting('server_version_num')::int`;
const VALUES = SETTINGS.map(({ name, value, from = 0 }) => `('${name}', '${value}', ${from})`).join(', ');

/** Statement that gives a session its settings. */
export const SET_SESSION = `
  select set_config(name, value, false) from (values ${VALUES}) as wanted(name, value, since) where ${VERSION} >= since`;

/** Statement that returns the settings that a session lacks, as `role`, `name` and `value`. */
export const LACKING = `
  select quote_ident(current_user) as role, name, value
  from (values ${VALUES}) as wanted(name, value, since)
  where ${VERSION} >= since and current_setting(name) <> value`;
