import {
  InvalidInput,
  storableJson,
  toStored,
  type Lesson,
  type Lessons,
  type PatternProposal,
  type ScamPattern,
} from '@casefile/contracts';
import type { Database, Queryable } from '@casefile/store';
import type { ScamPatternBase } from '../scam-patterns/scam-pattern-base.js';

/**
 * Risk of a value in a confirmed scam, from 0 to 100. If the person only agreed with the product, it is
 * lower.
 */
const RISK = { independent: 90, ownProposal: 60 } as const;

/** Source of a case's reports in the scam database, which shows their origin. */
const lessonSource = (caseId: string): string => `case ${caseId}`;

const OLD = 'select reports from lessons where case_id = $1 for update';
const DELETE_REPORTS = `
  delete from scam_reports r using json_to_recordset($1::json) v ("entityType" text, "entityValue" text)
  where r.entity_type = v."entityType" and r.entity_value = v."entityValue" and r.source = $2`;
const ADD_REPORTS = `
  insert into scam_reports (entity_type, entity_value, source, report_count, risk_score, first_reported_at, last_reported_at)
  select distinct "entityType", "entityValue", $2, 1, $3::float8, now(), now()
  from json_to_recordset($1::json) v ("entityType" text, "entityValue" text)
  on conflict (entity_type, entity_value, source) do update set risk_score = excluded.risk_score`;
const KEEP = `
  insert into lessons (case_id, run_id, act_id, "by", event, own_proposal, reports, pattern, state)
  values ($1, $2, $3, $4, $5, $6, $7::json, $8::json, case when $8::json is null then 'none' else 'proposed' end)
  on conflict (case_id) do update set run_id = excluded.run_id, act_id = excluded.act_id, "by" = excluded."by",
    event = excluded.event, own_proposal = excluded.own_proposal, reports = excluded.reports,
    pattern = case when lessons.decided_by is null then excluded.pattern else lessons.pattern end,
    state = case when lessons.decided_by is null then excluded.state else lessons.state end`;
const FORGET = `
  update lessons set reports = '[]', pattern = case when decided_by is null then null else pattern end,
    state = case when decided_by is null then 'none' else state end
  where case_id = $1`;
const COLUMNS = `case_id, state, pattern, "by", event, own_proposal, learned_at, decided_by, decided_at`;
const LIST = `
  select ${COLUMNS} from lessons where state = $1 and ($2::uuid is null or case_id > $2) order by case_id limit $3`;
const ONE = `select ${COLUMNS} from lessons where case_id = $1 and state <> 'none'`;
const DECIDE = `
  with decided as (
    update lessons set state = $2, decided_by = $3, decided_at = now()
    where case_id = $1 and state = 'proposed' returning case_id)
  insert into events (type, case_id, data)
  select 'operator.decided-pattern', case_id, json_build_object('state', $2::text, 'by', $3::text) from decided`;

interface ProposalRow {
  case_id: string;
  state: PatternProposal['state'];
  pattern: ScamPattern;
  by: string;
  event: string | null;
  own_proposal: boolean;
  learned_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
}

/** Lessons in Postgres. Sorted by case id, because these ids grow with time. */
export function postgresLessons(database: Database, patterns: ScamPatternBase): Lessons {
  const find = async (caseId: string): Promise<PatternProposal | null> => {
    const [row] = isUuid(caseId) ? await database.rows<ProposalRow>(ONE, [caseId]) : [];
    return row === undefined ? null : toProposal(row);
  };
  return {
    learn: (lesson) => database.transaction((tx) => learn(tx, toStored(lesson))),
    forget: (caseId) =>
      database.transaction(async (tx) => {
        await removeReports(tx, caseId);
        await tx.rows(FORGET, [caseId]);
      }),
    proposals: async ({ state, cursor, limit }) => {
      if (cursor !== undefined && !isUuid(cursor))
        throw new InvalidInput([{ path: 'cursor', message: 'expected the nextCursor of a page' }], 'query');
      const rows = await database.rows<ProposalRow>(LIST, [state, cursor ?? null, limit + 1]);
      const page = rows.slice(0, limit).map(toProposal);
      return { proposals: page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
    },
    decide: async (caseId, state, by) => {
      const proposal = await find(caseId);
      if (proposal === null || proposal.state !== 'proposed') return proposal;
      // The import comes first. After a crash between the two writes, approving again imports the same
      // pattern.
      if (state === 'approved') await patterns.importPatterns([[proposal.pattern]]);
      await database.rows(DECIDE, toStored([caseId, state, by]));
      return find(caseId);
    },
  };
}

async function learn(tx: Queryable, lesson: Lesson): Promise<void> {
  const { caseId, runId, actId, by, event, ownProposal, reports, pattern } = lesson;
  await removeReports(tx, caseId);
  const values = storableJson(reports);
  const risk = ownProposal ? RISK.ownProposal : RISK.independent;
  await tx.rows(ADD_REPORTS, [values, lessonSource(caseId), risk]);
  const proposed = pattern === null ? null : storableJson(pattern);
  await tx.rows(KEEP, [caseId, runId, actId, by, event, ownProposal, values, proposed]);
}

async function removeReports(tx: Queryable, caseId: string): Promise<void> {
  const [old] = await tx.rows<{ reports: object[] }>(OLD, [caseId]);
  if (old !== undefined) await tx.rows(DELETE_REPORTS, [storableJson(old.reports), lessonSource(caseId)]);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isUuid = (text: string): boolean => UUID.test(text);

function toProposal(row: ProposalRow): PatternProposal {
  const { case_id: id, state, pattern, by, event, own_proposal: ownProposal } = row;
  return {
    id,
    state,
    pattern,
    by,
    event,
    ownProposal,
    at: row.learned_at.toISOString(),
    decidedBy: row.decided_by,
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}
