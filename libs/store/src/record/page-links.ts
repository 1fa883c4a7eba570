import { storableJson, type NewPageLink, type PageLink, type PageLinks } from '@casefile/contracts';
import { isAnsweredRun } from '../answered-sql.js';
import type { Database, Queryable } from '../database.js';
import { lockKey } from '../admin/acts.js';
import { recordOf } from '../rows.js';
import { at } from './add-deliveries.js';
import { acknowledgePages } from './destinations.js';

const ADD = `
  with removed as (delete from page_links where expires_at < ${at('$8')} - interval '1 day')
  insert into page_links (token_hash, delivery_id, destination, case_id, run_id, severity, expires_at, sent_at)
  values ($1, $2, $3, $4, $5, $6, ${at('$7')}, ${at('$8')})`;
// Each attempt of a delivery has a token of its own. All are used by the first use of one.
const FIND = `
  select l.destination, l.case_id, l.severity, l.sent_at, l.delivery_id, case
    when exists (select from case_erasures e where e.case_id = l.case_id) then 'erased'
    when exists (select from page_links o where o.delivery_id = l.delivery_id and o.used_at is not null) then 'used'
    when l.expires_at <= ${at('$2')} then 'expired'
    when exists (select from cases c where c.id = l.case_id and ${isAnsweredRun('c.id', 'c.leading_run_id')}) then 'answered'
    else 'open' end as state
  from page_links l where l.token_hash = $1`;
const USE = `update page_links set used_at = ${at('$2')} where token_hash = $1`;
const NOTED = `insert into events (type, case_id, data) values ('operator.acknowledged-page', $1, $2::json)`;

const linkOf = recordOf<PageLink>()(['state', 'destination', 'caseId', 'severity', 'sentAt']);

/** Links by which pages are acknowledged, in Postgres. */
export function postgresPageLinks(database: Database): PageLinks {
  return {
    add: async (link, now) => void (await database.rows(ADD, valuesOf(link, now))),
    find: (tokenHash, now) => find(database, tokenHash, now),
    use: (...args) => database.transaction((tx) => use(tx, ...args)),
  };
}

function valuesOf(link: NewPageLink, now: number): unknown[] {
  const { tokenHash, deliveryId, destination, caseId, runId, severity, expiresAt } = link;
  return [tokenHash, deliveryId, destination, caseId, runId, severity, expiresAt, now];
}

async function find(on: Queryable, tokenHash: string, now: number): Promise<PageLink | null> {
  const [row] = await on.rows(FIND, [tokenHash, now]);
  return row === undefined ? null : linkOf(row);
}

async function use(tx: Queryable, ...[tokenHash, pagers, now]: Parameters<PageLinks['use']>) {
  const [row] = await tx.rows<{ delivery_id: string }>(FIND, [tokenHash, now]);
  if (row === undefined) return null;
  // Two people may use two links of one delivery at the same time.
  await lockKey(tx, `page link ${row.delivery_id}`);
  const link = await find(tx, tokenHash, now);
  if (link === null || link.state !== 'open') return link;
  await tx.rows(USE, [tokenHash, now]);
  const by = `link of ${link.destination}`;
  await acknowledgePages(tx, { caseId: link.caseId, pagers, by }, now);
  await tx.rows(NOTED, [link.caseId, storableJson({ caseId: link.caseId, by, deliveryId: row.delivery_id })]);
  return link;
}
