import type { ErasableClass } from '@casefile/contracts';
import { type Column, type Table, quoteName } from '../columns.js';

/**
 * Value that replaces the content of a column. `tombstone`: a JSON object with who erased the row, when and why, and
 * the digest of the row's content. `null`, `blank` (an empty text), `list`, `object`: this empty value. `stripped`:
 * the content without texts; numbers, codes and ids stay. `row`: the row is deleted.
 */
type Emptying = 'tombstone' | 'null' | 'blank' | 'list' | 'object' | 'stripped' | 'row';

/** Column by which the rows of a case are found. `rule`: a separate function finds and empties them. */
type RowScope = 'case' | 'runs' | 'attempts' | 'rule';

/** Columns of a table with content of a case. */
export interface ErasureRule {
  scope: RowScope;
  /** Restricts the rows, as SQL over the table `t`. */
  only?: string;
  columns: Readonly<Record<string, { classes: readonly ErasableClass[]; by: Emptying }>>;
}

const ANY_TEXT = ['message', 'evidence'] as const satisfies ErasableClass[];
const message = (by: Emptying) => ({ classes: ['message'], by }) as const;
/** Text that can quote the message and results of tools. */
const text = (by: Emptying) => ({ classes: ANY_TEXT, by }) as const;
/** Requests to models and their answers quote everything. */
const prompt = (by: Emptying) => ({ classes: [...ANY_TEXT, 'prompts'], by }) as const;

/**
 * All places with content of a case. A column that can quote several classes is erased with the first of them.
 * A spec compares this list and `KEPT_COLUMNS` with the schema, so that a new column is declared in one of them.
 */
export const ERASURE_RULES = {
  alerts: {
    scope: 'case',
    columns: {
      text: message('null'),
      rest: message('tombstone'),
      image: { classes: ['message', 'images'], by: 'null' },
    },
  },
  cases: { scope: 'rule', columns: { text: message('blank'), fingerprint: message('null') } },
  storms: { scope: 'case', columns: { keys: message('row') } },
  storm_members: {
    scope: 'case',
    columns: { name: message('row'), services: message('row'), depends_on: message('row') },
  },
  case_words: { scope: 'rule', columns: { words: text('row') } },
  edited_alerts: {
    scope: 'case',
    columns: { original: message('tombstone'), message: message('blank') },
  },
  dead_letters: { scope: 'rule', columns: { payload: message('row'), message: message('row') } },
  runs: {
    scope: 'rule',
    columns: { message: text('null'), settings: prompt('stripped') },
  },
  units: { scope: 'runs', columns: { message: text('null') } },
  artifacts: { scope: 'rule', columns: { body: text('stripped') } },
  signals: {
    scope: 'runs',
    columns: {
      question: text('blank'),
      options: text('list'),
      fallback: text('blank'),
      value: text('null'),
    },
  },
  tool_calls: {
    scope: 'runs',
    columns: { args: text('tombstone'), result: text('null'), message: text('null'), source: text('null') },
  },
  tool_results: { scope: 'runs', columns: { body: text('blank') } },
  llm_interactions: {
    scope: 'runs',
    columns: {
      request: prompt('tombstone'),
      response: prompt('null'),
      content: prompt('null'),
      tool_calls: prompt('null'),
      reasoning_content: prompt('null'),
      reasoning_summary: prompt('null'),
      provider_state: prompt('null'),
    },
  },
  events: { scope: 'rule', columns: { data: prompt('stripped') } },
  acts: { scope: 'rule', columns: { data: text('stripped'), reason: text('blank') } },
  feedback: { scope: 'rule', columns: { outcome: text('stripped'), note: text('null') } },
  corrected_verdicts: { scope: 'rule', columns: { body: text('stripped') } },
  reusable_answers: { scope: 'runs', columns: { key: text('row') } },
  missing_look_ups: { scope: 'runs', only: `t.reason = 'unknown_tool'`, columns: { tool: text('row') } },
  outbound_deliveries: { scope: 'case', columns: { message: text('null') } },
  delivery_attempts: { scope: 'attempts', columns: { response: text('null'), problem: text('null') } },
  engagement_sessions: {
    scope: 'case',
    columns: { red_flags: text('list'), conversation: text('null') },
  },
  batch_members: { scope: 'case', columns: { message: text('null') } },
  past_cases: {
    scope: 'case',
    columns: {
      keys: text('row'),
      terms: text('row'),
      title: text('row'),
      outcome: text('row'),
      note: text('row'),
    },
  },
  lessons: { scope: 'rule', columns: { reports: text('list'), pattern: text('null') } },
  scam_reports: { scope: 'rule', columns: { entity_value: text('row') } },
  scam_patterns: {
    scope: 'rule',
    columns: { title: text('blank'), texts: text('object'), red_flags: text('list') },
  },
  pattern_vectors: { scope: 'rule', columns: { vector: text('row') } },
} as const satisfies { [T in Table]?: ErasureRule & { columns: { [C in Column<T>]?: unknown } } };

/** Tables with the scope `rule` are emptied by their own function, not by the general statement. */
export const erasureRules = Object.entries(ERASURE_RULES) as [keyof typeof ERASURE_RULES, ErasureRule][];

/** A statement on the rows of a case in one table. $1: the case; $2: its runs. */
interface PlaceStatement {
  table: string;
  columns: string[];
  text: string;
}

const SCOPES: Record<Exclude<RowScope, 'rule'>, string> = {
  case: 't.case_id = $1::uuid',
  runs: 't.run_id = any($2::uuid[])',
  attempts: 't.delivery_id in (select d.id from outbound_deliveries d where d.case_id = $1::uuid)',
};

/** SHA-256 over the key ($4) and the SHA-256 of a text. Without the key, guesses of a short text cannot be tested. */
export const digestOf = (text: string): string =>
  `encode(sha256(convert_to($4::text, 'UTF8') || sha256(convert_to(${text}, 'UTF8'))), 'hex')`;

/** The tombstone of a text. $3: `{ at, by, reason }`. */
export const tombstoneOf = (text: string): string =>
  `json_build_object('erased', true, 'at', $3::json ->> 'at', 'by', $3::json ->> 'by', 'reason', $3::json ->> 'reason',
    'digest', ${digestOf(text)})`;

const has = (column: string, by: Emptying): string => {
  const at = `t.${quoteName(column)}`;
  if (by === 'tombstone') return `(${at} ->> 'erased') is distinct from 'true'`;
  if (by === 'blank') return `${at} <> ''`;
  if (by === 'list') return `${at}::text <> '[]'`;
  return `${at} is not null`;
};

function emptied(by: Emptying, content: string): string {
  if (by === 'tombstone') return tombstoneOf(content);
  if (by === 'blank') return `''`;
  if (by === 'list') return `'[]'`;
  return 'null';
}

const wanted = (table: ErasureRule, classes: readonly ErasableClass[]): [string, Emptying][] =>
  Object.entries(table.columns).flatMap(([column, place]) =>
    place.classes.some((one) => classes.includes(one)) ? [[column, place.by] as [string, Emptying]] : [],
  );

/** Adds to every statement, so that Postgres knows the types of parameters that it does not use. */
export const GIVEN = 'given as (select $1::uuid, $2::uuid[], $3::json, $4::text)';

/** Returns the statement that erases these classes in a table; null: it has none of them. */
export function erasing(
  name: string,
  table: ErasureRule,
  classes: readonly ErasableClass[],
): PlaceStatement | null {
  const columns = wanted(table, classes);
  if (table.scope === 'rule' || columns.length === 0) return null;
  const rows = `${SCOPES[table.scope]}${table.only === undefined ? '' : ` and ${table.only}`}`;
  if (columns.some(([, by]) => by === 'row')) {
    const text = `with ${GIVEN} delete from ${name} t where ${rows}`;
    return { table: name, columns: columns.map(([column]) => column), text };
  }
  // The digest covers all columns that the statement empties.
  const content = `concat_ws(chr(10), ${columns.map(([column]) => `t.${quoteName(column)}::text`).join(', ')})`;
  const set = columns.map(([column, by]) => `${quoteName(column)} = ${emptied(by, content)}`);
  const left = columns.map(([column, by]) => has(column, by)).join(' or ');
  const text = `with ${GIVEN} update ${name} t set ${set.join(', ')} where ${rows} and (${left})`;
  return { table: name, columns: columns.map(([column]) => column), text };
}

/** Returns the statement that counts the rows of cases ($1) and runs ($2) with content, as `column` and `rows`. */
export function counting(name: string, table: ErasureRule, classes: readonly ErasableClass[]): string | null {
  const columns = wanted(table, classes);
  if (table.scope === 'rule' || columns.length === 0) return null;
  const scope = SCOPES[table.scope].replace('= $1::uuid', '= any($1::uuid[])');
  const counts = columns.map(([column, by]) => `'${column}', count(*) filter (where ${has(column, by)})`);
  const only = table.only === undefined ? '' : ` and ${table.only}`;
  return `with given as (select $1::uuid[], $2::uuid[])
    select json_build_object(${counts.join(', ')}) as counts from ${name} t where ${scope}${only}`;
}
