import type { Queryable } from '../database.js';
import { quoteName } from '../columns.js';
import { ERASURE_RULES, type ErasureRule } from '../erasure/erasure-rules.js';
import { TABLES } from '../generated/tables.js';

/** Ids of the case that content is planted in. */
export interface PlantedCase {
  caseId: string;
  runId: string;
  alertId: string;
}

/** Tables in which an accepted case has rows already, with the condition for them. */
const FILLED: Readonly<Record<string, string>> = {
  cases: 'id = $1::uuid',
  alerts: 'case_id = $1::uuid',
  runs: 'case_id = $1::uuid',
  units: 'case_id = $1::uuid',
  artifacts: 'run_id in (select id from runs where case_id = $1::uuid)',
};

/** Returns a text that no other column has, by which content of a column is found. */
export const plantedText = (table: string, column: string): string =>
  `planted ${table.replaceAll('_', '')} ${column.replaceAll('_', '')}`;

/**
 * Plants a text in every erasable column of a case, by statements of its own, so that no write path is left out.
 * @returns the planted texts.
 */
export async function plantContent(on: Queryable, of: PlantedCase): Promise<string[]> {
  const planted: string[] = [];
  // A batch that has ended, so that it does not block the erasure.
  await on.rows(`insert into batches (id, state, ask, total) values ($1, 'discarded', '{}', 1)`, [of.runId]);
  for (const [table, place] of Object.entries(ERASURE_RULES) as [keyof typeof ERASURE_RULES, ErasureRule][]) {
    const columns = Object.keys(place.columns).filter((column) => typeIn(table, column) !== 'tsvector');
    const texts = columns.map((column) => plantedText(table, column));
    const where = FILLED[table];
    if (where === undefined) await on.rows(...insertion(table, place, of));
    else {
      const set = columns.map((column) => `${quoteName(column)} = ${literal(table, column)}`).join(', ');
      await on.rows(`update ${table} set ${set} where ${where}`, [of.caseId]);
    }
    planted.push(...texts.filter((_, i) => !isList(typeIn(table, columns[i] ?? ''))));
  }
  return planted;
}

const typeIn = (table: keyof typeof ERASURE_RULES, column: string): string =>
  ((TABLES[table] as Record<string, string>)[column] ?? '').replace(/[?=]$/, '');
const isList = (type: string): boolean => type === 'real[]';

function literal(table: keyof typeof ERASURE_RULES, column: string): string {
  const text = plantedText(table, column);
  const type = typeIn(table, column);
  if (column === 'reports')
    return `'[{"entityType":"${text}","entityValue":"planted scamreports entityvalue"}]'`;
  if (table === 'lessons') return `'{"id":"pattern-1","title":"${text}"}'`;
  if (table === 'runs' && column === 'settings')
    return `jsonb_set(settings::jsonb, '{reflection}', '{"text":"${text}","cases":[{"input":"${text}"}],"tried":[]}')::json`;
  if (type === 'json' || type === 'jsonb')
    return `'{"note":"${text}","list":["${text}"],"deep":{"text":"${text}","n":1}}'`;
  if (type === 'text[]') return `array['${text}']`;
  if (type === 'tsvector') return `to_tsvector('simple', '${text}')`;
  if (type === 'real[]') return 'array[1]::real[]';
  return `'${text}'`;
}

/** Values of columns by which rows belong to the case. */
const KEYS: Readonly<Record<string, string>> = {
  case_id: '$1::uuid',
  run_id: '$2::uuid',
  alert_id: '$3::uuid',
  tool_call_id: 'gen_random_uuid()',
  delivery_id: '(select id from outbound_deliveries where case_id = $1::uuid limit 1)',
  subject: `'review ' || $1::uuid`,
  pattern_id: `'pattern-1'`,
};

function insertion(
  table: keyof typeof ERASURE_RULES,
  place: ErasureRule,
  { caseId, runId, alertId }: PlantedCase,
): [string, unknown[]] {
  const values = Object.entries(TABLES[table] as Record<string, string>).flatMap(([column, type]) => {
    if (place.columns[column] !== undefined) return [[column, literal(table, column)]];
    const key = own(table, column) ?? KEYS[column];
    if (key !== undefined) return [[column, key]];
    if (/[?=]$/.test(type)) return [];
    return [[column, otherwise(type)]];
  });
  const text = `with given as (select $1::uuid, $2::uuid, $3::uuid)
    insert into ${table} (${values.map(([column]) => quoteName(column ?? '')).join(', ')})
    select ${values.map(([, value]) => value).join(', ')}`;
  return [text, [caseId, runId, alertId]];
}

/** Values that make a row one that erasure looks for. */
function own(table: string, column: string): string | undefined {
  const values: Readonly<Record<string, string>> = {
    'scam_reports.source': `'case ' || $1::uuid`,
    'scam_reports.entity_type': `'planted lessons reports'`,
    'scam_patterns.id': `'pattern-1'`,
    'batch_members.batch_id': '$2::uuid',
    'lessons.state': `'approved'`,
    'missing_look_ups.reason': `'unknown_tool'`,
    'outbound_deliveries.ended_at': 'now()',
    'dead_letters.payload': `'{"text":"planted deadletters payload"}'`,
    'corrected_verdicts.due_at': 'null',
    'tool_calls.state': `'succeeded'`,
    'llm_interactions.state': `'completed'`,
  };
  return values[`${table}.${column}`];
}

function otherwise(type: string): string {
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'timestamptz') return 'now()';
  if (type === 'boolean') return 'false';
  if (type === 'json' || type === 'jsonb') return `'{}'`;
  if (type === 'text') return `'x'`;
  if (type.endsWith('[]')) return `'{}'`;
  return '1';
}

/** Returns every row of every table as text. */
export async function dumpTables(on: Queryable): Promise<string> {
  const tables = await on.rows<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rows: string[] = [];
  for (const { name } of tables)
    for (const { row } of await on.rows<{ row: string }>(`select t::text as row from "${name}" t`))
      rows.push(`${name}: ${row}`);
  return rows.join('\n');
}
