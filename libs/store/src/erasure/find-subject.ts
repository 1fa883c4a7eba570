import { toStored } from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { searchWords } from '../record/list-cases.js';
import { UNSEARCHED } from '../record/search-words.js';

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
export async function lettersWith(on: Queryable, subject: string): Promise<number> {
  const [row] = await on.rows<{ n: number }>(`select count(*)::int as n from ${LETTERS}`, written(subject));
  return row?.n ?? 0;
}

/** Deletes dead letters that contain a value. */
export async function deleteLettersWith(on: Queryable, subject: string): Promise<void> {
  await on.rows(`delete from ${LETTERS}`, written(subject));
}

/** Returns the ids of prompt versions that contain a value. */
export async function promptsWith(on: Queryable, subject: string): Promise<string[]> {
  const rows = await on.rows<{ id: string }>(PROMPTS, written(subject).slice(0, 1));
  return rows.map(({ id }) => id);
}
