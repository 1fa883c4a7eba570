import pg from 'pg';

/** Counts of the record after a fault run. */
export interface RecordCounts {
  cases: number;
  alerts: number;
  /** Alerts that could not be accepted. */
  buried: number;
  decided: number;
  quarantined: number;
  unfinished: number;
  /** Runs with more than one verdict. */
  verdictsTwice: number;
  /** Steps that have more than one recorded answer to the same question. */
  answeredTwice: number;
  ambiguous: number;
  interactions: number;
  /** Distinct (run, unit, stage, round, step) with a call. */
  steps: number;
  deliveriesOpen: number;
  /**
   * The longest time between two events of one run, in seconds. It includes the recovery after a worker's
   * death, with restarts.
   */
  longestPauseS: number;
}

const COUNTS = `
select
  (select count(*) from cases)::int as cases,
  (select count(*) from alerts)::int as alerts,
  (select count(*) from dead_letters)::int as buried,
  (select count(*) from runs where status = 'decided')::int as decided,
  (select count(*) from runs where status = 'quarantined')::int as quarantined,
  (select count(*) from runs where status not in ('decided', 'quarantined', 'stopped'))::int as unfinished,
  (select count(*) from (select 1 from artifacts where artifact = 'verdict' group by run_id having count(*) > 1) t)::int as "verdictsTwice",
  (select count(*) from (select 1 from llm_interactions where state = 'completed'
     group by run_id, unit, stage, round, step, tool_call_id, request_hash having count(*) > 1) t)::int as "answeredTwice",
  (select count(*) from llm_interactions where state = 'ambiguous')::int as ambiguous,
  (select count(*) from llm_interactions)::int as interactions,
  (select count(*) from (select distinct run_id, unit, stage, round, step, tool_call_id
    from llm_interactions) t)::int as steps,
  (select count(*) from deliveries where delivered_at is null)::int as "deliveriesOpen",
  (select round(coalesce(max(extract(epoch from pause)), 0), 1)::float8 from (
     select at - lag(at) over (partition by run_id order by xid, id) as pause from events where run_id is not null) t) as "longestPauseS"
`;

/** Counts the results of a fault run on the record. */
export function countRecord(databaseUrl: string): Promise<RecordCounts> {
  return onRecord(databaseUrl, async (client) => {
    const { rows } = await client.query<RecordCounts>(COUNTS);
    const [counts] = rows;
    if (counts === undefined) throw new Error('no counts');
    return counts;
  });
}

/** Returns the ids of recorded calls that have not ended. */
export function pendingCalls(databaseUrl: string): Promise<string[]> {
  return onRecord(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id::text from llm_interactions where state = 'pending'`,
    );
    return rows.map(({ id }) => id);
  });
}

async function onRecord<T>(databaseUrl: string, read: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await read(client);
  } finally {
    await client.end();
  }
}

const REPEATED_CALLS = `
  select extract(epoch from x.created_at) * 1000 as "startedAt",
    (select extract(epoch from min(y.created_at)) * 1000 from llm_interactions y
     where (y.run_id, y.unit, y.stage, y.round, y.step) = (x.run_id, x.unit, x.stage, x.round, x.step)
       and y.created_at > x.created_at) as "againAt"
  from llm_interactions x where x.state = 'ambiguous'`;

/**
 * Returns the time from a kill until each call that the kill interrupted was made again, in milliseconds.
 * @param killedAt Times of the kills, in milliseconds since the epoch, in their order.
 */
export function takeOvers(databaseUrl: string, killedAt: readonly number[]): Promise<number[]> {
  return onRecord(databaseUrl, async (client) => {
    const { rows } = await client.query<{ startedAt: string; againAt: string | null }>(REPEATED_CALLS);
    return rows.flatMap(({ startedAt, againAt }) => {
      const kill = killedAt.find((at) => at > Number(startedAt));
      return againAt === null || kill === undefined ? [] : [Math.round(Number(againAt) - kill)];
    });
  });
}
