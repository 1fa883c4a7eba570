import { storableJson, toStored, type Json, type PastCases, type ShownPastCase } from '@casefile/contracts';
import type { Database } from '@casefile/store';

/** Least share of the terms of a case that a similar past case has. */
const LEAST_SIMILARITY = 0.5;
/** Newest past cases with a common key that are compared: an alert that fires daily for a year has 365. */
const MOST_COMPARED = 500;

const KEEP = `
  insert into past_cases (case_id, run_id, playbook, act_id, keys, terms, title, outcome, note, agreed, confirmed_at)
  values ($1, $2, $3, $4, $5::text[], $6::text[], $7, $8::json, $9, $10, $11)
  on conflict (case_id) do update set run_id = excluded.run_id, playbook = excluded.playbook, act_id = excluded.act_id,
    keys = excluded.keys, terms = excluded.terms, title = excluded.title, outcome = excluded.outcome, note = excluded.note,
    agreed = excluded.agreed, confirmed_at = excluded.confirmed_at`;
const FORGET = 'delete from past_cases where case_id = $1';
const FIND = `
  with candidates as (
    select * from past_cases
    where keys && $2::text[] and playbook = $1
      and case_id is distinct from (select case_id from runs where id = $4::uuid)
    order by confirmed_at desc, case_id desc limit ${MOST_COMPARED}),
  compared as (
    select c.*, (select count(distinct term) from unnest($3::text[]) term where term = any(c.terms))::float8
      / greatest(1, (select count(distinct term) from unnest($3::text[]) term)) as similarity
    from candidates c)
  select case_id, title, outcome, note, agreed, confirmed_at, similarity from compared
  where similarity >= ${LEAST_SIMILARITY} order by similarity desc, confirmed_at desc, case_id desc limit $5`;

interface Row {
  case_id: string;
  title: string;
  outcome: ShownPastCase['outcome'];
  note: string | null;
  agreed: boolean;
  confirmed_at: Date;
  similarity: number;
}

/**
 * Past cases in Postgres.
 * @param mask Removes secrets from the words that people wrote. @throws if a value cannot be scanned.
 */
export function postgresPastCases(
  database: Database,
  mask: (value: Json) => Promise<{ value: Json }>,
): PastCases {
  return {
    keep: async (pastCase) => {
      const { caseId, runId, playbook, actId, keys, terms, agreed, confirmedAt } = pastCase;
      const { title, outcome, note } = (
        await mask({ title: pastCase.title, outcome: pastCase.outcome, note: pastCase.note })
      ).value as Pick<typeof pastCase, 'title' | 'outcome' | 'note'>;
      const own = toStored([caseId, runId, playbook, actId, keys, terms, title]);
      await database.rows(KEEP, [...own, storableJson(outcome), toStored(note), agreed, confirmedAt]);
    },
    forget: async (caseId) => void (await database.rows(FORGET, [caseId])),
    find: async ({ playbook, keys, terms, runId, limit }) => {
      const rows = await database.rows<Row>(FIND, toStored([playbook, keys, terms, runId, limit]));
      return rows.map(({ case_id: caseId, confirmed_at, similarity, ...row }) => ({
        caseId,
        confirmedAt: confirmed_at.toISOString(),
        similarity: Math.round(similarity * 100) / 100,
        ...row,
      }));
    },
  };
}
