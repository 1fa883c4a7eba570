import { toStored, type ErasableClass, type ErasurePreview, type NewErasure } from '@casefile/contracts';
import type { Queryable, Database } from '../database.js';
import { searchWords } from '../record/list-cases.js';
import { UNSEARCHED } from '../record/search-words.js';
import { ERASURE_RULES, erasureRules, counting } from './erasure-rules.js';

/**
 * Selects cases ($1) with open work and what it is. Content is not erased under work that reads it, nor before a
 * person and the receivers have had the verdict.
 */
const BLOCKED = `
  select * from (
    select c.id as "caseId", case
      when exists (select from runs r where r.case_id = c.id and r.status in ('due', 'running', 'suspended'))
        then 'a run has not ended'
      when exists (select from runs r where r.case_id = c.id and r.status = 'parked' and r.lane <> 'shadow')
        then 'a run is parked: redrive or drop it'
      when exists (select from runs r where r.case_id = c.id and r.status = 'quarantined' and r.lane <> 'shadow')
        then 'a run is quarantined: redrive or drop it'
      when exists (select from batch_members m join batches b on b.id = m.batch_id
        where m.case_id = c.id and b.state in ('running', 'paused', 'applying'))
        then 'a batch judges the case again'
      when exists (select from evolutions e where e.playbook = c.playbook and e.state in ('running', 'paused')
        and strpos(e.progress::text, c.id::text) > 0)
        then 'a prompt evolution reads the case'
      when exists (select from runs r where r.id = c.leading_run_id and r.disposition = 'review'
        and r.reviewed_at is null and c.dataset is null)
        then 'its review is open'
      when exists (select from runs r join deliveries d on d.run_id = r.id
          where r.case_id = c.id and d.delivered_at is null)
        or exists (select from corrected_verdicts v where v.case_id = c.id and v.due_at is not null
          and v.sent_at is null and v.cancelled_at is null)
        then 'a verdict has not been delivered'
      when exists (select from outbound_deliveries o where o.case_id = c.id and o.ended_at is null)
        then 'a message to a destination has not been delivered'
      end as why
    from cases c where c.id = any($1::uuid[])) b
  where why is not null`;

/** Returns the cases with open work, each with the work that has to end first. */
export function blockedAmong(
  on: Queryable,
  caseIds: readonly string[],
): Promise<{ caseId: string; why: string }[]> {
  return on.rows(BLOCKED, [caseIds]);
}

const isFound = (words: string): string => `(${words} @@ plainto_tsquery('simple', $1)
    or ($3::text is not null and ${words} @@ (plainto_tsquery('simple', $2) && $3::tsquery)))`;
// The words of the newest texts are not stored yet.
const BY_WORDS = `
  with newest as materialized (select distinct case_id from ${UNSEARCHED})
  select distinct case_id as "caseId" from case_words where ${isFound('words')}
  union
  select a.case_id from newest n join alerts a on a.case_id = n.case_id join cases c on c.id = a.case_id
  where ${isFound('words_of(shown_of(a.text, c.text, a.rest))')}
  union
  select r.case_id from newest n join runs r on r.case_id = n.case_id
    join artifacts f on f.run_id = r.id and f.artifact = 'report'
  where ${isFound(`words_of(f.body ->> 'markdown')`)}`;
// Page by page, so that no statement takes long however long the record is.
const BY_ALERTS = `
  with page as materialized (select id, case_id, text, rest from alerts where id > $1::uuid order by id limit 2000)
  select (select id from page order by id desc limit 1) as last,
    coalesce((select json_agg(distinct case_id) from page
      where strpos(lower(coalesce(text, '')), $2) > 0 or strpos(lower(rest::text), $3) > 0), '[]') as "caseIds"`;
const BY_ARTIFACTS = `
  with page as materialized (select id, case_id from runs where id > $1::uuid order by id limit 500)
  select (select id from page order by id desc limit 1) as last,
    coalesce((select json_agg(distinct p.case_id) from page p join artifacts a on a.run_id = p.id
      where strpos(lower(a.body::text), $2) > 0 or strpos(lower(a.body::text), $3) > 0), '[]') as "caseIds"`;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Page {
  last: string | null;
  caseIds: string[];
}

/**
 * Returns the ids of cases in which a value occurs: in the words by which cases are found, however its digits are
 * separated, or literally in an alert or in what the stages wrote.
 */
export async function casesWith(database: Database, subject: string): Promise<string[]> {
  const value = toStored(subject.trim());
  const { parts, numbers, rest } = searchWords(value);
  const exact = numbers === null ? null : numbers.replaceAll(':*', '');
  const caseIds = new Set(
    (await database.rows<{ caseId: string }>(BY_WORDS, [parts, rest, exact])).map(({ caseId }) => caseId),
  );
  const [plain, inJson] = [value.toLowerCase(), JSON.stringify(value).slice(1, -1).toLowerCase()];
  for (const statement of [BY_ALERTS, BY_ARTIFACTS])
    for await (const page of pages(database, statement, [plain, inJson]))
      for (const caseId of page) caseIds.add(caseId);
  return [...caseIds].sort();
}

async function* pages(database: Database, statement: string, values: string[]): AsyncGenerator<string[]> {
  let after: string | null = FIRST;
  while (after !== null) {
    const [page]: Page[] = await database.rows<Page>(statement, [after, ...values]);
    yield page?.caseIds ?? [];
    after = page?.last ?? null;
  }
}

const LETTERS = `dead_letters where strpos(lower(coalesce(payload::text, '')), $1) > 0
  or strpos(lower(coalesce(payload::text, '')), $2) > 0 or strpos(lower(message), $1) > 0`;
const PROMPTS = 'select id from prompt_versions where strpos(lower(body), $1) > 0 order by id limit 100';

const written = (subject: string): string[] => {
  const value = toStored(subject.trim());
  return [value.toLowerCase(), JSON.stringify(value).slice(1, -1).toLowerCase()];
};

/** Counts dead letters that contain a value. */
async function lettersWith(on: Queryable, subject: string): Promise<number> {
  const [row] = await on.rows<{ n: number }>(`select count(*)::int as n from ${LETTERS}`, written(subject));
  return row?.n ?? 0;
}

/** Deletes dead letters that contain a value. */
export async function deleteLettersWith(on: Queryable, subject: string): Promise<void> {
  await on.rows(`delete from ${LETTERS}`, written(subject));
}

/** Returns the ids of prompt versions that contain a value. */
async function promptsWith(on: Queryable, subject: string): Promise<string[]> {
  const rows = await on.rows<{ id: string }>(PROMPTS, written(subject).slice(0, 1));
  return rows.map(({ id }) => id);
}

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
  const rows = new Map<string, ErasurePreview['places'][number]>();
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
  rows: Map<string, ErasurePreview['places'][number]>,
  table: keyof typeof ERASURE_RULES,
  column: string,
  n: number,
): void {
  const place = `${table}.${column}`;
  const known = rows.get(place) ?? { place, classes: [...classesOf(table, column)], rows: 0 };
  rows.set(place, { ...known, rows: known.rows + n });
}
