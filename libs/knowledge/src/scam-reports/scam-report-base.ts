import { toStored, z, type Pages, type ScamRecord, type ScamReports } from '@casefile/contracts';
import {
  assignments,
  tableColumns,
  copyColumns,
  insertInto,
  rowSet,
  WithClause,
  type Database,
} from '@casefile/store';
import { checkedPages, checkedRows } from '../pages.js';

/** One line of an import: a value and its number of reports. */
export interface ScamReportInput {
  entityType: string;
  /** Normalised as entities are: E.164, lower-case registrable domain, ... */
  entityValue: string;
  reportCount: number;
  riskScore: number;
  firstReportedAt?: string;
  lastReportedAt?: string;
  source: string;
}

/** The scam database: queries and imports. */
export interface ScamReportBase extends ScamReports {
  /**
   * Imports all pages or nothing. An existing (type, value, source) is replaced.
   * @param onProgress counts written reports.
   * @throws InvalidInput that names every wrong field of the first wrong page (`[3].riskScore`).
   */
  importAll(
    pages: Pages<ScamReportInput[]>,
    onProgress?: (done: number) => void,
  ): Promise<{ inserted: number; replaced: number }>;
}

/** The scam database in Postgres. */
export function postgresScamReports(database: Database): ScamReportBase {
  return {
    find: (type, value) => findScamRecord(database, type, value),
    importAll: (pages, onProgress = () => undefined) => importScamReports(database, pages, onProgress),
  };
}

const time = z.iso.datetime({ offset: true, local: true }).or(z.iso.date()).optional();

const scamReportSchema: z.ZodType<ScamReportInput> = z.object({
  entityType: z.string().min(1),
  entityValue: z.string().min(1),
  reportCount: z.number().int().min(0).max(2_147_483_647),
  riskScore: z.number().min(0).max(100),
  firstReportedAt: time,
  lastReportedAt: time,
  source: z.string().min(1),
});

const checkedReports = (page: readonly ScamReportInput[], before: number): ScamReportInput[] =>
  checkedRows(scamReportSchema, page, 'scam reports', before);

/** Keeps the last of each (type, value, source): a statement cannot change a row twice. */
function lastOfEach(reports: readonly ScamReportInput[]): ScamReportInput[] {
  const last = new Map<string, ScamReportInput>();
  for (const report of reports)
    last.set(JSON.stringify([report.entityType, report.entityValue, report.source]), report);
  return [...last.values()];
}

interface FoundRow {
  report_count: number;
  risk_score: number;
  first_reported_at: Date | null;
  last_reported_at: Date | null;
  sources: number;
}

/** Record of a value over all sources: the sum of reports, the highest risk, the widest span of time. */
async function findScamRecord(database: Database, type: string, value: string): Promise<ScamRecord | null> {
  const [row] = await database.rows<FoundRow>(
    `select count(*)::int as sources, sum(report_count)::float8 as report_count, max(risk_score) as risk_score,
       min(first_reported_at) as first_reported_at, max(last_reported_at) as last_reported_at
     from scam_reports where entity_type = $1 and entity_value = $2`,
    toStored([type, value]),
  );
  if (row === undefined || row.sources === 0) return null;
  return {
    reportCount: row.report_count,
    riskScore: row.risk_score,
    firstReportedAt: iso(row.first_reported_at),
    lastReportedAt: iso(row.last_reported_at),
  };
}

async function importScamReports(
  database: Database,
  pages: Pages<ScamReportInput[]>,
  onProgress: (done: number) => void,
): Promise<{ inserted: number; replaced: number }> {
  return database.transaction(async (tx) => {
    let [inserted, replaced, done] = [0, 0, 0];
    for await (const page of checkedPages(pages, checkedReports)) {
      const reports = lastOfEach(page);
      const { text, params } = new WithClause().rows(REPORTS, reports, PUT).statement(COUNT_INSERTED);
      const [{ added = 0 } = {}] = await tx.rows<{ added: number }>(text, params);
      [inserted, replaced, done] = [inserted + added, replaced + reports.length - added, done + page.length];
      onProgress(done);
    }
    return { inserted, replaced };
  });
}

const KEY = ['entity_type', 'entity_value', 'source'] as const;
const FACTS = ['report_count', 'risk_score', 'first_reported_at', 'last_reported_at'] as const;
const REPORTS = rowSet('report_rows', tableColumns('scam_reports', ...KEY, ...FACTS));

// A new row has no earlier version: its xmax is 0.
const PUT = `put as (
  ${insertInto('scam_reports', { ...copyColumns('', ...KEY, ...FACTS) })} from report_rows
  on conflict (${KEY.join(', ')}) do update
  set ${assignments('scam_reports', { ...copyColumns('excluded', ...FACTS), imported_at: 'now()' })}
  returning (xmax = 0) as inserted)`;
const COUNT_INSERTED = 'select (count(*) filter (where inserted))::int as added from put';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
