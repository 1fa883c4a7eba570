import type { ScamRecord, ScamReportInput } from '@casefile/contracts';
import { checkedScamReports } from '../scam-report-input.js';
import { stored } from '../storable.js';
import type { Database } from './database.js';
import { RowSets } from './row-set.js';
import { isoOrNull } from './rows.js';

interface FoundRow {
  report_count: number;
  risk_score: number;
  first_reported_at: Date | null;
  last_reported_at: Date | null;
  sources: number;
}

/** What is known of a value over all sources: reports added up, the highest risk, the widest span of time. */
export async function findScamRecord(
  database: Database,
  type: string,
  value: string,
): Promise<ScamRecord | null> {
  const [row] = await database.rows<FoundRow>(
    `select count(*)::int as sources, sum(report_count)::float8 as report_count, max(risk_score) as risk_score,
       min(first_reported_at) as first_reported_at, max(last_reported_at) as last_reported_at
     from scam_reports where entity_type = $1 and entity_value = $2`,
    stored([type, value]),
  );
  if (row === undefined || row.sources === 0) return null;
  return {
    reportCount: row.report_count,
    riskScore: row.risk_score,
    firstReportedAt: isoOrNull(row.first_reported_at),
    lastReportedAt: isoOrNull(row.last_reported_at),
  };
}

/** Rows a statement: large enough to be quick, small enough to be sent at once. */
const ROWS_A_STATEMENT = 5_000;

export async function importScamReports(
  database: Database,
  reports: ScamReportInput[],
): Promise<{ inserted: number; replaced: number }> {
  const checked = checkedScamReports(reports);
  return database.transaction(async (tx) => {
    let inserted = 0;
    for (let from = 0; from < checked.length; from += ROWS_A_STATEMENT) {
      const sets = new RowSets();
      const text = importStatement(sets.add('s', COLUMNS, checked.slice(from, from + ROWS_A_STATEMENT)));
      const rows = await tx.rows<{ inserted: boolean }>(text, sets.params);
      inserted += rows.filter((row) => row.inserted).length;
    }
    return { inserted, replaced: checked.length - inserted };
  });
}

const COLUMNS = `"entityType" text, "entityValue" text, source text, "reportCount" int, "riskScore" float8,
  "firstReportedAt" timestamptz, "lastReportedAt" timestamptz`;

// A row that was not there has no earlier version: its xmax is 0.
const importStatement = (source: string): string => `
  insert into scam_reports (entity_type, entity_value, source, report_count, risk_score, first_reported_at, last_reported_at)
  select "entityType", "entityValue", source, "reportCount", "riskScore", "firstReportedAt", "lastReportedAt" from ${source}
  on conflict (entity_type, entity_value, source) do update set report_count = excluded.report_count,
    risk_score = excluded.risk_score, first_reported_at = excluded.first_reported_at,
    last_reported_at = excluded.last_reported_at, imported_at = now()
  returning (xmax = 0) as inserted`;
