import pg from 'pg';

/** Is in the planted words of all columns. No text of the product contains it. */
export const PLANTED = 'kanarie7';

const word = (column: string): string => `'${PLANTED}${column.replace(/\W/g, '')}'`;
const SET: readonly (readonly [table: string, column: string, value: string])[] = [
  ['cases', 'text', `text || ' ' || ${word('cases.text')}`],
  ['alerts', 'text', `text || ' ' || ${word('alerts.text')}`],
  ['alerts', 'rest', `json_build_object('labels', json_build_object('team', ${word('alerts.rest')}))`],
  ['alerts', 'image', `convert_to('PNG ' || ${word('alerts.image')}, 'UTF8')`],
  [
    'artifacts',
    'body',
    `jsonb_set(body::jsonb, '{planted}', to_jsonb(${word('artifacts.body')}::text))::json`,
  ],
  ['llm_interactions', 'request', `json_build_object('text', ${word('interactions.request')})`],
  ['llm_interactions', 'content', `content || ${word('interactions.content')}`],
  ['llm_interactions', 'reasoning_content', word('interactions.reasoning')],
];
// What a person wrote, and what a tool answered.
const ADD = [
  `insert into feedback (id, case_id, run_id, agrees, outcome, "by", note, at)
   select gen_random_uuid(), id, leading_run_id, true, '{}', 'ann', ${word('feedback.note')}, now() from cases`,
  `insert into events (type, case_id, data)
   select 'feedback.given', id, json_build_object('by', 'ann', 'note', ${word('events.data')}) from cases`,
  `insert into tool_calls (id, run_id, unit, stage, round, step, seq, case_id, lane, tool, args, state, result)
   select gen_random_uuid(), id, '', 'collect', 1, 0, 1, case_id, 'live', 'scam_db', json_build_object('value',
     ${word('tool_calls.args')}), 'succeeded', json_build_object('found', ${word('tool_calls.result')}) from runs`,
  // As if each alert came by the queue, so that its job is searched too.
  `insert into idempotency_keys (key, body_digest, alert_id, case_id, run_id, joined)
   select 'alerts:' || id || ':digest', md5(id::text), alert_id, case_id, id, false from runs`,
];
// Work that is open is not erased.
const END = `update runs set reviewed_at = now() where disposition = 'review'`;

/** Plants words in the content of all cases of a filled record, and ends their reviews. */
export async function plantWords(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const [table, column, value] of SET) await client.query(`update ${table} set ${column} = ${value}`);
    for (const statement of [...ADD, END, 'vacuum analyze']) await client.query(statement);
  } finally {
    await client.end();
  }
}
