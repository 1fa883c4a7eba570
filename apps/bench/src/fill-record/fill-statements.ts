/** Size of the record to fill. */
export interface FillSize {
  cases: number;
  interactionsPerCase: number;
}

/** Cases per statement: enough to be quick, few enough to show progress. */
export const CASES_A_BATCH = 10_000;

// Ids contain the number of the case, so that every table can be filled separately. The digit names the kind
// of id.
const id = (kind: number, n: string): string =>
  `('0190${kind}000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

// One case per minute, the newest now. 100,000 cases are more than two months.
const AT = `now() - ($3::int - i) * interval '1 minute'`;

// Returns a word for a generated text. A few words are in nearly every text, most in very few: the fourth
// power makes small numbers frequent. Each filling produces the same texts.
const drawn = (i: string, n: string): string =>
  `(20000 * power((hashint8extended((${i}) * 1000::bigint + ${n}, 7) & 1048575) / 1048576.0::float8, 4))::int`;
const WORD = `case when d.n % 9 = 0
  then (array['खाता','बंद','बैंक','क्लिक','लिंक','पैसा','संदेश','नंबर'])[1 + (d.n / 9) % 8]
  else (array['parcel','account','bank','invoice','refund','winner','urgent','verify','password','crypto','transfer',
    'delivery','prize','customs','wallet','support'])[1 + d.n % 16] end || case when d.n < 16 then '' else d.n::text end`;
const words = (i: string, many: number): string => `(
  select string_agg(${WORD}, ' ') from (select ${drawn(i, 'g')} as n from generate_series(1, ${many}) g) d)`;

const RANGE = `from generate_series($1::int, $2::int) i`;

const SETTINGS = `json_build_object('playbook', 'scam-verdict', 'playbookVersion', '1', 'strategy', 'single-shot',
  'policy', 'risk-level', 'provider', 'openai', 'model', 'gpt-5-mini', 'promptIds', json_build_object(),
  'tools', json_build_array('scam_db'), 'maxRounds', 1, 'onOutage', 'fallback', 'options', json_build_object())`;

const DISPOSITION = `(array['act','act','act','review','dismiss'])[1 + i % 5]`;
const ACTION = `(array['ENGAGE','ENGAGE','ENGAGE','REVIEW','IGNORE'])[1 + i % 5]`;
const METHOD = `case when i % 500 = 0 then 'heuristic' else 'llm' end`;

/** Text of a generated report. */
const REPORT = `'# Report of the evidence' || chr(10) || ${words('i + 11', 90)}`;

const BODIES: [artifact: string, body: string][] = [
  [
    'brief',
    `json_build_object('text', ${words('i', 25)}, 'textSource', 'text', 'entities', json_build_object())`,
  ],
  ['evidence', `json_build_object('items', json_build_array())`],
  [
    'draft',
    `json_build_object('answer', json_build_object('risk', 80), 'explanation', ${words('i + 7', 60)})`,
  ],
  ['review', `json_build_object('ruling', 'PASS', 'findings', json_build_array(), 'reviewer', 'mechanical')`],
  [
    'report',
    `json_build_object('title', 'Report', 'citations', json_build_array('E1'),
    'markdown', ${REPORT})`,
  ],
  [
    'verdict',
    `json_build_object('outcome', json_build_object('action', ${ACTION}, 'score', 80), 'disposition', ${DISPOSITION},
    'confidence', 0.8, 'confidenceSource', 'llm', 'method', ${METHOD}, 'reasons', json_build_array('a reason'),
    'citations', json_build_array('E1'), 'degraded', i % 500 = 0, 'decidedAt', ${AT})`,
  ],
];

const ARTIFACTS = BODIES.map(
  ([artifact, body]) => `insert into artifacts (run_id, unit, artifact, round, body, created_at)
    select ${id(2, 'i')}, '', '${artifact}', 1, ${body}, ${AT} ${RANGE} where $3 > 0`,
);

const EVENTS = `insert into events (type, case_id, run_id, data, at)
  select e.type, ${id(0, 'i')}, ${id(2, 'i')}, json_build_object('stage', e.stage, 'round', 1, 'unit', '',
    'disposition', ${DISPOSITION}, 'action', ${ACTION}, 'method', ${METHOD}, 'degraded', i % 500 = 0), ${AT}
  ${RANGE}, (values (1, 'alert.accepted', null), (2, 'case.created', null), (3, 'run.created', null),
    (4, 'stage.completed', 'triage'), (5, 'stage.completed', 'collect'), (6, 'stage.completed', 'reason'),
    (7, 'stage.completed', 'critique'), (8, 'stage.completed', 'write'), (9, 'stage.completed', 'decide'),
    (10, 'verdict.decided', 'decide')) e(n, type, stage)
  order by i, e.n`;

const interactions = (perCase: number): string => `
  insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash,
    request, draw, state, response, content, input_tokens, output_tokens, reasoning_tokens, cost_usd, latency_ms,
    finish_reason, has_reasoning, reasoning_content, reasoning_summary, reasoning_source, created_at, completed_at)
  select ${id(3, `i::bigint * ${perCase} + k`)}, ${id(2, 'i')}, '', 'reason', 1, k, 1, 'openai',
    (array['gpt-5-mini','gpt-5'])[1 + k % 2], 'single-shot@1', md5(i || '.' || k),
    json_build_object('messages', json_build_array(json_build_object('role', 'user', 'content', t.text || t.text))),
    json_build_object('seed', 'ab', 'deadlineAt', null), 'completed', json_build_object('text', t.text), t.text,
    400, 80, 60, 0.0004, 900, 'stop', k % 2 = 0, case when k % 2 = 0 then t.text || t.text end,
    case when k % 2 = 0 then left(t.text, 200) || '...' end, case when k % 2 = 0 then 'reasoning_content' end, ${AT}, ${AT}
  ${RANGE} cross join lateral (select ${words('i', 30)} as text offset 0) t cross join generate_series(1, ${perCase}) k`;

/**
 * Returns the statements of one batch. `$1` and `$2` are its first and last case, `$3` the total number of
 * cases.
 */
export function fillStatements({ interactionsPerCase }: FillSize): readonly string[] {
  return [
    `insert into cases (id, playbook, status, text, lane, leading_run_id, newest_run_id, disposition, action, decided_at,
       created_at, updated_at)
     select ${id(0, 'i')}, 'scam-verdict', 'decided', left(${words('i', 25)}, 200), 'live', ${id(2, 'i')}, ${id(2, 'i')},
       ${DISPOSITION}, ${ACTION}, ${AT}, ${AT}, ${AT} ${RANGE}`,
    `insert into alerts (id, case_id, playbook, text, rest, received_at, created_at)
     select ${id(1, 'i')}, ${id(0, 'i')}, 'scam-verdict', 'Your ' || ${words('i', 25)}, '{}', ${AT}, ${AT} ${RANGE}`,
    `insert into case_words (case_id, created_at, words)
     select ${id(0, 'i')}, ${AT}, words_of('Your ' || ${words('i', 25)}) ${RANGE}
     union all
     select ${id(0, 'i')}, ${AT}, words_of(${REPORT}) ${RANGE}`,
    `insert into runs (id, case_id, alert_id, lane, settings, status, disposition, action, confidence, degraded, created_at,
       decided_at, ended_at)
     select ${id(2, 'i')}, ${id(0, 'i')}, ${id(1, 'i')}, 'live', ${SETTINGS}, 'decided', ${DISPOSITION}, ${ACTION}, 0.8,
       i % 500 = 0, ${AT}, ${AT}, ${AT} ${RANGE}`,
    `insert into units (run_id, unit, case_id, lane, status, stage)
     select ${id(2, 'i')}, '', ${id(0, 'i')}, 'live', 'decided', 'decide' ${RANGE} where $3 > 0`,
    ...ARTIFACTS,
    EVENTS,
    interactions(interactionsPerCase),
  ];
}
