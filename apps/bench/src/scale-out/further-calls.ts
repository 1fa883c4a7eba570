import { rowsIn } from '@casefile/e2e/testing/run-casefile';

/** Calls of a provider beyond one per step, by what the record has of the earlier call. */
export interface FurtherCalls {
  /**
   * The worker of the earlier call had lost its lease, so its answer is unknown. Another worker may call again
   * then, and each such call is marked on the record.
   */
  afterLostLease: number;
  /** Shortest time from an intent until another worker claimed its unit, in seconds; null: no such call. */
  shortestLeaseS: number | null;
  /** The earlier call had failed. */
  afterFailure: number;
  /** Work that was done twice: the earlier call has an answer, or a call has no intent on the record. */
  unexplained: number;
}

const CALLS = `
  select concat_ws('/', run_id, unit, stage, round, tool_call_id, step, attempt) as key,
    concat_ws('/', run_id, unit, stage, round, tool_call_id, step) as step, state,
    extract(epoch from completed_at - created_at)::float8 as seconds
  from llm_interactions order by attempt`;

/** @param byKey Calls that the provider counted, by call key. */
export async function readFurtherCalls(
  databaseUrl: string,
  byKey: Readonly<Record<string, number>>,
): Promise<FurtherCalls> {
  const rows = (await rowsIn(databaseUrl, CALLS)) as unknown as RecordedCall[];
  return furtherCalls(rows, byKey);
}

const CHARGED = `
  select (select coalesce(sum(input_tokens + output_tokens), 0) from llm_interactions)::int
    + (select coalesce(sum((r ->> 'amount')::bigint), 0) from llm_interactions x, json_array_elements(x.reservations) r
       where x.state = 'ambiguous' and r ->> 'measure' = 'tokens' and r ->> 'key' like 'day%')::int as n`;

/**
 * Returns the tokens that the budget of the day must have counted: those of all answers, and the worst case of
 * each call whose worker lost its lease, since its answer is not known.
 */
export async function chargedTokens(databaseUrl: string): Promise<number> {
  const [row] = await rowsIn(databaseUrl, CHARGED);
  return Number(row?.['n']);
}

export interface RecordedCall {
  key: string;
  step: string;
  state: string;
  /** Time from the intent to its end. */
  seconds: number | null;
}

/**
 * Assigns each call of the provider beyond one per step to a cause.
 * @param rows Intents on the record, those of one step in the order of their attempts.
 * @param byKey Calls that the provider counted, by call key.
 */
export function furtherCalls(
  rows: readonly RecordedCall[],
  byKey: Readonly<Record<string, number>>,
): FurtherCalls {
  const receivedCalls = rows.filter(({ key }) => (byKey[key] ?? 0) > 0);
  const total = Object.values(byKey).reduce((sum, count) => sum + count, 0);
  const earlier = receivedCalls.filter(({ step }, i) =>
    receivedCalls.slice(i + 1).some((later) => later.step === step),
  );
  const lost = earlier.filter(({ state }) => state === 'ambiguous');
  const failed = earlier.filter(({ state }) => state === 'failed');
  const further = total - new Set(receivedCalls.map(({ step }) => step)).size;
  const seconds = lost.flatMap((call) => (call.seconds === null ? [] : [call.seconds]));
  return {
    afterLostLease: lost.length,
    shortestLeaseS: seconds.length === 0 ? null : Math.round(Math.min(...seconds) * 10) / 10,
    afterFailure: failed.length,
    unexplained: further - lost.length - failed.length,
  };
}
