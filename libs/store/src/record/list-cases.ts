import {
  caseSummarySchema,
  progressOfRun,
  recordedVerdict,
  stored,
  type CaseQuery,
  type CaseSummary,
  type JsonObject,
  type Lane,
  type RunStatus,
  type UnitPlace,
} from '@casefile/contracts';
import { atUs, instantOf, lastInstantOf, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';
import type { Database } from '../database.js';
import { isoOrNull, recordOfSchema } from '../rows.js';

interface NoRow {
  looked: number;
  id: null;
}

interface CaseRow {
  looked: number;
  id: string;
  at_us: string;
  run_id: string | null;
  lane: Lane;
  run_status: RunStatus;
  decided_at: Date | null;
  units: UnitPlace[] | null;
  verdict: JsonObject | null;
}

const withoutRunOf = recordOfSchema(caseSummarySchema.omit({ run: true }));

/** Newest first, filtered, a page at a time. */
export async function listCases(
  database: Database,
  query: CaseQuery,
): Promise<{ items: CaseSummary[]; nextCursor: string | null }> {
  const { page, nextCursor } = pageOf(await readPage(database, stored(query)), query.limit);
  return { items: page.map(summaryOf), nextCursor };
}

async function readPage(database: Database, query: CaseQuery): Promise<CaseRow[]> {
  const newest = casesStatement(query, 'newest');
  const rows = await database.rows<CaseRow | NoRow>(newest.text, newest.params);
  const found = rows.filter(isCase);
  const isAll = !hasWords(query) || found.length > query.limit || (rows[0]?.looked ?? 0) < LOOKED_AT;
  if (isAll) return found;
  const words = casesStatement(query, 'words');
  return (await database.rows<CaseRow | NoRow>(words.text, words.params)).filter(isCase);
}

const isCase = (row: CaseRow | NoRow): row is CaseRow => row.id !== null;

function summaryOf(row: CaseRow): CaseSummary {
  const summary = withoutRunOf(row);
  if (row.run_id === null) return { ...summary, run: null };
  const progress = progressOfRun(row.run_status, row.units ?? []);
  const verdict = row.verdict === null ? null : recordedVerdict(row.verdict);
  return {
    ...summary,
    run: { id: row.run_id, lane: row.lane, ...progress, verdict, decidedAt: isoOrNull(row.decided_at) },
  };
}

/**
 * How a page is looked for. `newest`: down from the newest case, each looked at for what is asked; a question for words
 * looks at `LOOKED_AT` cases only. `words`: every case that the index of words names, then the newest of them.
 */
export type Way = 'newest' | 'words';

/**
 * Cases that are looked at for words, one after the other. A word that is in a twentieth of all texts fills a page of 50
 * from them; the index is asked for what is rarer, and so never has to hand out most of the record.
 */
export const LOOKED_AT = 1_000;

/** What `newest` answers beside the facts: cases it has looked at, also when it found none. */
const LOOKED = 'looked';

/**
 * One page of cases, newest first. It is chosen by narrow rows alone; the facts of runs, verdicts and model calls are
 * then read for that page, so that they cost the same however long the record is.
 * @throws InvalidInput for a cursor or date that is none.
 */
export function casesStatement(query: CaseQuery, way: Way): { text: string; params: unknown[] } {
  const params = new Params();
  const page = way === 'words' ? pageByWords(query, params) : pageFromNewest(query, params);
  return { text: `with ${page} ${FACTS}`, params: params.values };
}

export function hasWords({ q }: CaseQuery): boolean {
  return q !== undefined && q.trim() !== '';
}

const OF_CASE = `c.id, c.playbook, c.status, c.alert_count, c.text, c.created_at, c.updated_at, c.newest_run_id`;
const NEWEST_FIRST = 'order by c.created_at desc, c.id desc';

// Every `limit` in a lateral part keeps the planner from reading all of its table for a page of rows.
const FACTS = `
  select t.looked, p.*, ${atUs('p.created_at')},
    r.id as run_id, r.lane, r.status as run_status, r.decided_at, m.cost_usd, m.has_reasoning,
    (select json_agg(json_build_object('unit', u.unit, 'status', u.status, 'stage', u.stage, 'round', u.round) order by u.unit)
      from units u where u.run_id = r.id) as units,
    (select a.body from artifacts a where a.run_id = r.id and a.artifact = 'verdict') as verdict
  from (select count(*)::int as ${LOOKED} from seen) t left join page p on true
  left join lateral (select * from runs r where r.id = p.newest_run_id limit 1) r on true
  left join lateral (
    select coalesce(sum(x.cost_usd), 0) as cost_usd, coalesce(bool_or(x.has_reasoning), false) as has_reasoning
    from llm_interactions x where x.run_id = r.id) m on true
  order by p.created_at desc, p.id desc`;

// All words of the question, the last one as a beginning.
const PARTS = `(select case when numnode(q) = 0 then q else (q::text || ':*')::tsquery end
  from plainto_tsquery('simple', $n) q)`;

// A number is found by its parts, or whole: a text and a question may separate its digits in different ways.
function wordsOf(q: string, params: Params): string {
  const { parts, numbers, rest } = searchWords(q);
  const byParts = params.filled(PARTS, parts);
  if (numbers === null) return byParts;
  // Selected, so that it is read once and not for each row.
  return `(select ${byParts} || (plainto_tsquery('simple', ${params.add(rest)}) && ${params.add(numbers)}::tsquery))`;
}

function pageFromNewest(query: CaseQuery, params: Params): string {
  const wanted = `${placeOf(query, params, 'c.created_at', 'c.id')}${datasetOf(query, params, 'c.dataset')}${factsOf(query, params)}`;
  const limit = params.add(query.limit + 1);
  const cases = (most: string): string =>
    `select ${OF_CASE} from cases c where true${wanted} ${NEWEST_FIRST} limit ${most}`;
  if (!hasWords(query)) return `page as materialized (${cases(limit)}), seen as (select from page)`;
  const words = `select from case_words w where w.case_id = c.id and w.words @@ ${wordsOf(query.q ?? '', params)} limit 1`;
  return `seen as materialized (${cases(String(LOOKED_AT))}),
    page as materialized (select c.* from seen c cross join lateral (${words}) w ${NEWEST_FIRST} limit ${limit})`;
}

// A case is found once, however many of its alerts and reports have the words.
function pageByWords(query: CaseQuery, params: Params): string {
  const words = `w.words @@ ${wordsOf(query.q ?? '', params)}`;
  const place = `${placeOf(query, params, 'w.created_at', 'w.case_id')}${datasetOf(query, params, 'w.dataset')}`;
  const facts = factsOf(query, params);
  const limit = params.add(query.limit + 1);
  // Without facts to ask the case for, the page is known before any case is read.
  const enough = facts === '' ? `order by w.created_at desc, w.case_id desc limit ${limit}` : '';
  return `seen as materialized (
      select distinct w.created_at, w.case_id from case_words w where ${words}${place} ${enough}),
    page as materialized (
      select ${OF_CASE} from seen join cases c on c.id = seen.case_id where true${facts} ${NEWEST_FIRST} limit ${limit})`;
}

function placeOf({ from, to, cursor }: CaseQuery, params: Params, at: string, id: string): string {
  let text = '';
  if (from !== undefined) text += ` and ${at} >= ${params.add(instantOf('from', from))}::timestamptz`;
  if (to !== undefined) text += ` and ${at} <= ${params.add(lastInstantOf('to', to))}::timestamptz`;
  if (cursor === undefined) return text;
  const place = placeOfCursor(cursor);
  const instant = timeOfPlace(params.add(place.createdAt));
  return `${text} and (${at}, ${id}) < (${instant}, ${params.add(place.id)}::uuid)`;
}

// Cases of a data set are seen by whoever asks for it alone.
function datasetOf({ dataset }: CaseQuery, params: Params, column: string): string {
  return dataset === undefined ? ` and ${column} is null` : ` and ${column} = ${params.add(dataset)}`;
}

function factsOf(query: CaseQuery, params: Params): string {
  const { status, playbook, action, lane, disposition, method, degraded } = query;
  const facts: [string, unknown][] = [
    ['c.status = $n', status],
    ['c.playbook = $n', playbook],
    ['c.action = $n', action],
    ['c.lane = $n', lane],
    ['c.disposition = $n', disposition],
    // Those of an earlier run stay until the newest one has a verdict; its disposition does not.
    ['c.disposition is not null and c.method = $n', method],
    ['c.disposition is not null and c.degraded = $n', degraded],
  ];
  return facts
    .filter(([, value]) => value !== undefined)
    .map(([condition, value]) => ` and ${params.filled(condition, value)}`)
    .join('');
}

/** Numbers parameters as they come. */
class Params {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** `text` with the number of this value's parameter in place of `$n`. */
  filled(text: string, value: unknown): string {
    return text.replaceAll('$n', this.add(value));
  }
}

/** Characters of a question that are read. */
const MOST_CHARACTERS = 500;
/** A question with more numbers is looked for by its parts alone. */
const MOST_NUMBERS = 5;
/** As the function `parts_of` of the database has it: what Postgres' parser would keep joined. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** As the function `numbers_of` has it: 7 to 15 digits, with what separates them. */
const NUMBER = /[0-9](?:[ ().\-/]{0,3}[0-9]){6,14}/g;

/** A question for words, as values of a statement. */
export interface SearchWords {
  /** Each part of the question. */
  parts: string;
  /** The numbers of the question without their separators, as a tsquery of digits; null: it has none. */
  numbers: string | null;
  /** The question without its numbers. */
  rest: string;
}

/** Reads a question as the words of cases are kept: without punctuation, and a number also without its separators. */
export function searchWords(question: string): SearchWords {
  const read = question.slice(0, MOST_CHARACTERS);
  const numbers = [...read.matchAll(NUMBER)].map(([run]) => run.replace(/[^0-9]/g, '').replace(/^00/, ''));
  const isWhole = numbers.length > 0 && numbers.length <= MOST_NUMBERS;
  return {
    parts: read.replace(PUNCTUATION, ' '),
    numbers: isWhole ? numbers.map((digits) => `'${digits}':*`).join(' & ') : null,
    rest: read.replace(NUMBER, ' ').replace(PUNCTUATION, ' '),
  };
}
