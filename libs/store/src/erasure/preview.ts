import type { ErasableClass, ErasablePlace, ErasurePreview, NewErasure } from '@casefile/contracts';
import type { Database } from '../database.js';
import { blockedAmong } from './blocked.js';
import { lettersWith, promptsWith } from './find-subject.js';
import { ERASURE_RULES, erasureRules } from './erasure-rules.js';
import { counting } from './statements.js';

/** Cases that one statement counts. */
const COUNTED = 500;
/** Blocked cases that a preview names. */
const NAMED = 100;

const RUNS = 'select id from runs where case_id = any($1::uuid[])';
// $1: cases; $2: runs.
const GIVEN = 'with given as (select $1::uuid[], $2::uuid[])';
const BY_RULE: readonly (readonly [table: keyof typeof ERASURE_RULES, column: string, rows: string])[] = [
  ['cases', 'text', `cases t where t.id = any($1::uuid[]) and t.text <> ''`],
  ['case_words', 'words', 'case_words t where t.case_id = any($1::uuid[])'],
  [
    'artifacts',
    'body',
    `artifacts t where t.run_id = any($2::uuid[]) and (t.body ->> 'erased') is distinct from 'true'`,
  ],
  [
    'events',
    'data',
    `events t where (t.run_id = any($2::uuid[]) or (t.run_id is null and t.case_id = any($1::uuid[])))
      and t.type <> 'case.erased' and (t.data ->> 'erased') is distinct from 'true'`,
  ],
  ['acts', 'data', `acts t where t.subject in (select 'review ' || c from unnest($1::uuid[]) c)`],
  ['feedback', 'note', 'feedback t where t.case_id = any($1::uuid[]) and t.note is not null'],
  ['corrected_verdicts', 'body', `corrected_verdicts t where t.case_id = any($1::uuid[])`],
  ['lessons', 'reports', `lessons t where t.case_id = any($1::uuid[]) and t.reports::text <> '[]'`],
];

/** Counts what an erasure would erase. Nothing is changed. */
export async function previewErasure(
  database: Database,
  { caseIds, classes, subject }: Pick<NewErasure, 'caseIds' | 'classes' | 'subject'>,
): Promise<ErasurePreview> {
  const rows = new Map<string, ErasablePlace>();
  const blocked: ErasurePreview['blocked'] = [];
  for (let from = 0; from < caseIds.length; from += COUNTED) {
    const some = caseIds.slice(from, from + COUNTED);
    blocked.push(...(await blockedAmong(database, some)));
    const runs = (await database.rows<{ id: string }>(RUNS, [some])).map(({ id }) => id);
    for (const [table, column, count] of countsOf(classes)) {
      const counts = await database.rows<{ counts: Record<string, number> }>(count, [some, runs]);
      for (const [name, n] of Object.entries(counts[0]?.counts ?? {})) add(rows, table, column ?? name, n);
    }
  }
  return {
    cases: caseIds.length,
    blocked: blocked.slice(0, NAMED),
    blockedCases: blocked.length,
    places: [...rows.values()].filter((place) => place.rows > 0),
    deadLetters: subject === null ? 0 : await lettersWith(database, subject),
    prompts: subject === null ? [] : await promptsWith(database, subject),
  };
}

type Count = [table: keyof typeof ERASURE_RULES, column: string | null, text: string];

function countsOf(classes: readonly ErasableClass[]): Count[] {
  const general = erasureRules.flatMap(([name, table]): Count[] => {
    const text = counting(name, table, classes);
    return text === null ? [] : [[name, null, text]];
  });
  const byRule = BY_RULE.filter(([table, column]) =>
    classesOf(table, column).some((one) => classes.includes(one)),
  ).map(([table, column, from]): Count => [
    table,
    column,
    `${GIVEN} select json_build_object('${column}', count(*)) as counts from ${from}`,
  ]);
  return [...general, ...byRule];
}

const classesOf = (table: keyof typeof ERASURE_RULES, column: string): readonly ErasableClass[] =>
  erasureRules.find(([name]) => name === table)?.[1].columns[column]?.classes ?? [];

function add(
  rows: Map<string, ErasablePlace>,
  table: keyof typeof ERASURE_RULES,
  column: string,
  n: number,
): void {
  const place = `${table}.${column}`;
  const known = rows.get(place) ?? { place, classes: [...classesOf(table, column)], rows: 0 };
  rows.set(place, { ...known, rows: known.rows + n });
}
