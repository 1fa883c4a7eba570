import type pg from 'pg';

/** Length of a model call: request and each text of its answer, in words of 33 characters. */
export interface CallSize {
  name: string;
  request: number;
  answer: number;
}

/** Rows per statement, as a flush of the write lane under load. */
const BATCH = 20;
/** Statements between the intent of a call and its result: 100 calls are in progress. */
const LAG = 5;

// The digits after the version are the number of the row.
const id = (n: string, kind: number): string =>
  `(lpad(to_hex(${n}), 12, '0') || '7000800000000000000${kind}')::uuid`;
const words = (n: string, many: string): string =>
  `(select string_agg(md5((${n} + g)::text), ' ') from generate_series(1, ${many}) g)`;
const ROW = `$1::bigint * ${BATCH} + i`;

const INTEND = `
  insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash,
    request, draw)
  select ${id(ROW, 1)}, ${id(ROW, 2)}, '', 'reason', 1, 1, 1, 'openai', 'gpt-5-mini', 'single-shot@1', md5(i::text),
    json_build_object('text', ${words(ROW, '$2::int')}), '{"seed":"ab","deadlineAt":1767607200000}'
  from generate_series(1, ${BATCH}) i`;
const COMPLETE = `
  update llm_interactions x set state = 'completed', completed_at = now(), has_reasoning = true, input_tokens = 400,
    response = json_build_object('text', ${words(ROW, '$2::int')}), content = ${words(ROW, '$2::int')},
    reasoning_content = ${words(`7 * (${ROW})`, '$2::int')}
  from generate_series(1, ${BATCH}) i where x.id = ${id(ROW, 1)}`;

/** Writes `count` intents from `first` on, and each result while 100 later calls are in progress. */
export async function writeCalls(
  client: pg.Client,
  { request, answer }: CallSize,
  count: number,
  first = 0,
): Promise<void> {
  const [from, to] = [first / BATCH, (first + count) / BATCH];
  for (let batch = from; batch < to + LAG; batch += 1) {
    if (batch < to) await client.query(INTEND, [batch, request]);
    if (batch >= from + LAG) await client.query(COMPLETE, [batch - LAG, answer]);
  }
}
