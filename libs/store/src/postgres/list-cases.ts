import {
  recordedVerdict,
  type CaseQuery,
  type CaseStatus,
  type CaseSummary,
  type JsonObject,
  type Lane,
  type RunStatus,
} from '@casefile/contracts';
import { cursorOf } from '../plan/cursor.js';
import { progressOf } from '../plan/progress.js';
import { stored } from '../storable.js';
import { casesStatement, hasWords, LOOKED_AT } from './cases-statement.js';
import type { Database } from './database.js';
import { iso, isoOrNull } from './rows.js';

interface NoRow {
  looked: number;
  id: null;
}

interface CaseRow {
  looked: number;
  id: string;
  playbook: string;
  status: CaseStatus;
  alert_count: number;
  text: string;
  created_at: Date;
  created_us: string;
  updated_at: Date;
  run_id: string | null;
  lane: Lane;
  run_status: RunStatus;
  decided_at: Date | null;
  units: Parameters<typeof progressOf>[1] | null;
  verdict: JsonObject | null;
  cost_usd: number;
  has_reasoning: boolean;
}

/** Newest first, filtered, a page at a time. */
export async function listCases(
  database: Database,
  query: CaseQuery,
): Promise<{ items: CaseSummary[]; nextCursor: string | null }> {
  const rows = await readPage(database, stored(query));
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const more = rows.length > query.limit && last !== undefined;
  const nextCursor = more ? cursorOf({ createdAt: last.created_us, id: last.id }) : null;
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
  const { id, playbook, status, text } = row;
  const times = { createdAt: iso(row.created_at), updatedAt: iso(row.updated_at) };
  const calls = { costUsd: row.cost_usd, hasReasoning: row.has_reasoning };
  const summary = { id, playbook, status, alertCount: row.alert_count, ...times, text, ...calls };
  if (row.run_id === null) return { ...summary, run: null };
  const progress = progressOf(row.run_status, row.units ?? []);
  const verdict = row.verdict === null ? null : recordedVerdict(row.verdict);
  return {
    ...summary,
    run: { id: row.run_id, lane: row.lane, ...progress, verdict, decidedAt: isoOrNull(row.decided_at) },
  };
}
