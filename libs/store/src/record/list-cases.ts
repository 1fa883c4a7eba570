import {
  caseSummarySchema,
  progressOfRun,
  recordedVerdict,
  toStored,
  type CasePage,
  type CaseQuery,
  type CaseSummary,
  type JsonObject,
  type Lane,
  type RunStatus,
  type UnitPlace,
} from '@casefile/contracts';
import { atUs, instantOf, lastInstantOf, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';
import type { Queryable } from '../database.js';
import { isoOrNull, recordOfSchema } from '../rows.js';
import { searchableTo } from './search-words.js';

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
  standing: JsonObject | null;
}

const withoutRunOf = recordOfSchema(caseSummarySchema.omit({ run: true, standing: true }));

/** Returns a page of matching cases, in the order of the query. */
export async function listCases(database: Queryable, query: CaseQuery): Promise<CasePage> {
  // Read before the page: words that are written meanwhile are in the page.
  const to = hasWords(query) ? await searchableTo(database) : null;
  const { page, nextCursor } = pageOf(await readPage(database, toStored(query)), query.limit);
  return { items: page.map(toSummary), nextCursor, searchableTo: to };
}

async function readPage(database: Queryable, query: CaseQuery): Promise<CaseRow[]> {
  const scan = casesStatement(query, 'scan');
  const rows = await database.rows<CaseRow | NoRow>(scan.text, scan.params);
  const cases = rows.filter(isCase);
  const isAll = !hasWords(query) || cases.length > query.limit || (rows[0]?.looked ?? 0) < SCANNED_CASES;
  if (isAll) return cases;
  const words = casesStatement(query, 'words');
  return (await database.rows<CaseRow | NoRow>(words.text, words.params)).filter(isCase);
}

const isCase = (row: CaseRow | NoRow): row is CaseRow => row.id !== null;

function toSummary(row: CaseRow): CaseSummary {
  const standing = row.standing === null ? null : recordedVerdict(row.standing);
  const summary = { ...withoutRunOf(row), standing };
  if (row.run_id === null) return { ...summary, run: null };
  const progress = progressOfRun(row.run_status, row.units ?? []);
  const verdict = row.verdict === null ? null : recordedVerdict(row.verdict);
  return {
    ...summary,
    run: { id: row.run_id, lane: row.lane, ...progress, verdict, decidedAt: isoOrNull(row.decided_at) },
  };
}

/**
 * Ways to search. `scan`: tests one case after another in the order of the list; a search for words tests
 * `SCANNED_CASES` cases only. `words`: takes every case from the index of words, then the first of them.
 */
export type SearchWay = 'scan' | 'words';

/**
 * Number of cases scanned for words. Words that occur in at least 5 % of all texts fill a page of 50 from
 * these. Rarer words are searched in the index, which therefore never returns most of the record.
 */
export const SCANNED_CASES = 1_000;

/** Column with the number of cases that a `scan` has tested, even if it found none. */
const COUNT_COLUMN = 'looked';

/**
 * Returns the statement for one page of cases. The page is selected from narrow rows. Runs,
 * verdicts and model calls are read only for this page, so that the cost does not depend on the length of the
 * record.
 * @throws InvalidInput for an invalid cursor or date.
 */
export function casesStatement(query: CaseQuery, way: SearchWay): { text: string; params: unknown[] } {
  const params = new Params();
  const page = way === 'words' ? pageByWords(query, params) : scannedPage(query, params);
  return { text: `with ${page} ${FACTS} ${inOrder(query, 'p.created_at', 'p.id')}`, params: params.values };
}

export function hasWords({ q }: Pick<CaseQuery, 'q'>): boolean {
  return q !== undefined && q.trim() !== '';
}

const OF_CASE = `c.id, c.playbook, c.status, c.alert_count, c.text, c.created_at, c.updated_at, c.newest_run_id`;

function inOrder({ order }: CaseQuery, at: string, id: string): string {
  const direction = order === 'oldest' ? 'asc' : 'desc';
  return `order by ${at} ${direction}, ${id} ${direction}`;
}

// Each `limit` in a lateral part keeps the planner from scanning the whole table for a page of rows.
const FACTS = `
  select t.looked, p.*, ${atUs('p.created_at')},
    r.id as run_id, r.lane, r.status as run_status, r.decided_at, m.cost_usd, m.has_reasoning,
    (select json_agg(json_build_object('unit', u.unit, 'status', u.status, 'stage', u.stage, 'round', u.round) order by u.unit)
      from units u where u.run_id = r.id) as units,
    (select a.body from artifacts a where a.run_id = r.id and a.artifact = 'verdict') as verdict,
    (select v.body from corrected_verdicts v where v.case_id = p.id and v.run_id = p.newest_run_id
      and v.cancelled_at is null order by v.seq desc limit 1) as standing
  from (select count(*)::int as ${COUNT_COLUMN} from seen) t left join page p on true
  left join lateral (select * from runs r where r.id = p.newest_run_id limit 1) r on true
  left join lateral (
    select coalesce(sum(x.cost_usd), 0) as cost_usd, coalesce(bool_or(x.has_reasoning), false) as has_reasoning
    from llm_interactions x where x.run_id = r.id) m on true`;

// All words of the search, the last one as a prefix.
const PARTS = `(select case when numnode(q) = 0 then q else (q::text || ':*')::tsquery end
  from plainto_tsquery('simple', $n) q)`;

// A number is found by its parts or as a whole, because texts and searches may separate its digits
// differently.
export function wordsOf(q: string, params: Params): string {
  const { parts, numbers, rest } = searchWords(q);
  const byParts = params.filled(PARTS, parts);
  if (numbers === null) return byParts;
  // A subselect is evaluated once, not once per row.
  return `(select ${byParts} || (plainto_tsquery('simple', ${params.add(rest)}) && ${params.add(numbers)}::tsquery))`;
}

function scannedPage(query: CaseQuery, params: Params): string {
  const wanted = `${placeCondition(query, params, 'c.created_at', 'c.id')}${datasetCondition(query, params, 'c.dataset')}${factConditions(query, params)}`;
  const limit = params.add(query.limit + 1);
  const order = inOrder(query, 'c.created_at', 'c.id');
  const cases = (most: string): string =>
    `select ${OF_CASE} from cases c where true${wanted} ${order} limit ${most}`;
  if (!hasWords(query)) return `page as materialized (${cases(limit)}), seen as (select from page)`;
  const words = `select from case_words w where w.case_id = c.id and w.words @@ ${wordsOf(query.q ?? '', params)} limit 1`;
  return `seen as materialized (${cases(String(SCANNED_CASES))}),
    page as materialized (select c.* from seen c cross join lateral (${words}) w ${order} limit ${limit})`;
}

// Lists a case once, even if several of its alerts and reports contain the words.
function pageByWords(query: CaseQuery, params: Params): string {
  const words = `w.words @@ ${wordsOf(query.q ?? '', params)}`;
  const place = `${placeCondition(query, params, 'w.created_at', 'w.case_id')}${datasetCondition(query, params, 'w.dataset')}`;
  const facts = factConditions(query, params);
  const limit = params.add(query.limit + 1);
  // Without further conditions, the page is complete before any case is read.
  const enough = facts === '' ? `${inOrder(query, 'w.created_at', 'w.case_id')} limit ${limit}` : '';
  return `seen as materialized (
      select distinct w.created_at, w.case_id from case_words w where ${words}${place} ${enough}),
    page as materialized (
      select ${OF_CASE} from seen join cases c on c.id = seen.case_id where true${facts} ${inOrder(query, 'c.created_at', 'c.id')} limit ${limit})`;
}

function placeCondition(
  { from, to, cursor, order }: CaseQuery,
  params: Params,
  at: string,
  id: string,
): string {
  let text = '';
  if (from !== undefined) text += ` and ${at} >= ${params.add(instantOf('from', from))}::timestamptz`;
  if (to !== undefined) text += ` and ${at} <= ${params.add(lastInstantOf('to', to))}::timestamptz`;
  if (cursor === undefined) return text;
  const place = placeOfCursor(cursor);
  const instant = timeOfPlace(params.add(place.createdAt));
  const after = order === 'oldest' ? '>' : '<';
  return `${text} and (${at}, ${id}) ${after} (${instant}, ${params.add(place.id)}::uuid)`;
}

// Cases of a labelled set are listed only if the search names this set.
function datasetCondition({ dataset }: CaseQuery, params: Params, column: string): string {
  return dataset === undefined ? ` and ${column} is null` : ` and ${column} = ${params.add(dataset)}`;
}

function factConditions(query: CaseQuery, params: Params): string {
  const { status, playbook, action, lane, disposition, method, degraded, missing } = query;
  const facts: [string, unknown][] = [
    ['c.status = $n', status],
    ['c.playbook = $n', playbook],
    ['c.action = $n', action],
    ['c.lane = $n', lane],
    ['c.disposition = $n', disposition],
    // While a newer run is not decided, the case keeps the values of the earlier run but has no disposition.
    ['c.disposition is not null and c.method = $n', method],
    ['c.disposition is not null and c.degraded = $n', degraded],
    ['c.id in (select m.case_id from missing_look_ups m where m.tool = $n)', missing],
  ];
  return facts
    .filter(([, value]) => value !== undefined)
    .map(([condition, value]) => ` and ${params.filled(condition, value)}`)
    .join('');
}

/** Collects parameters and numbers them in order. */
export class Params {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Returns `text` with `$n` replaced by the number of this value's parameter. */
  filled(text: string, value: unknown): string {
    return text.replaceAll('$n', this.add(value));
  }
}

/** Maximum number of characters of a search that are read. */
const MOST_CHARACTERS = 500;
/** Maximum number of phone or account numbers in a search. With more, only their parts are searched. */
const MOST_NUMBERS = 5;
/** Punctuation that Postgres' parser would keep joined, like in the database function `parts_of`. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** 7 to 15 digits with separators, like in the database function `numbers_of`. */
const NUMBER = /[0-9](?:[ ().\-/]{0,3}[0-9]){6,14}/g;

/** A search for words, as values of a statement. */
export interface WordSearch {
  /** All parts of the search. */
  parts: string;
  /** The numbers of the search without separators, as a tsquery of digits. null: there are none. */
  numbers: string | null;
  /** The search without its numbers. */
  rest: string;
}

/**
 * Parses a search in the same way as the words of cases are stored: without punctuation, and numbers also
 * without separators.
 */
export function searchWords(question: string): WordSearch {
  const read = question.slice(0, MOST_CHARACTERS);
  const numbers = [...read.matchAll(NUMBER)].map(([run]) => run.replace(/[^0-9]/g, '').replace(/^00/, ''));
  const isWhole = numbers.length > 0 && numbers.length <= MOST_NUMBERS;
  return {
    parts: read.replace(PUNCTUATION, ' '),
    numbers: isWhole ? numbers.map((digits) => `'${digits}':*`).join(' & ') : null,
    rest: read.replace(NUMBER, ' ').replace(PUNCTUATION, ' '),
  };
}
