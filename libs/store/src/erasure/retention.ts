import type { ErasableClass, RetentionPage } from '@casefile/contracts';
import type { Database } from '../database.js';

const DEFAULT = 'default';

// Cases that wait for an erasure already are left out.
const PAGE = `
  with page as materialized (
    select c.id, c.playbook, c.created_at, c.updated_at from cases c
    where c.created_at <= to_timestamp($1::float8 / 1000) - $2::float8 * interval '1 day'
      and (c.created_at, c.id) > ($3::timestamptz, $4::uuid)
    order by c.created_at, c.id limit $5)
  select p.id, p.created_at::text as at, array(
    select d.class from unnest($6::text[], $7::text[], $8::float8[]) d (playbook, class, days)
    where d.playbook = case when p.playbook = any($9::text[]) then p.playbook else '${DEFAULT}' end
      and p.updated_at <= to_timestamp($1::float8 / 1000) - d.days * interval '1 day'
      and not exists (select from case_erasures e
        where e.case_id = p.id and d.class = any(e.classes) and e.at >= p.updated_at)
      and not exists (select from erasure_members m where m.case_id = p.id and m.state <> 'erased')
    ) as classes
  from page p order by p.created_at, p.id`;
const FIRST = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Cases of a page whose content is due, by the classes to erase, and where the next page begins. */
export interface DueCases {
  due: { classes: ErasableClass[]; caseIds: string[] }[];
  next: string | null;
}

/** Returns the cases of a page whose content is older than its days. */
export async function dueByRetention(
  database: Database,
  { days, now, after, limit }: RetentionPage,
): Promise<DueCases> {
  const rules = Object.entries(days).flatMap(([playbook, classes]) =>
    Object.entries(classes).flatMap(([name, n]) => (n === undefined ? [] : [{ playbook, name, n }])),
  );
  if (rules.length === 0) return { due: [], next: null };
  const [at = FIRST.at, id = FIRST.id] = after?.split('|') ?? [];
  const rows = await database.rows<{ id: string; at: string; classes: ErasableClass[] }>(PAGE, [
    now,
    Math.min(...rules.map(({ n }) => n)),
    at,
    id,
    limit,
    rules.map(({ playbook }) => playbook),
    rules.map(({ name }) => name),
    rules.map(({ n }) => n),
    Object.keys(days).filter((playbook) => playbook !== DEFAULT),
  ]);
  const due = new Map<string, DueCases['due'][number]>();
  for (const row of rows.filter(({ classes }) => classes.length > 0)) {
    const classes = [...row.classes].sort();
    const group = due.get(classes.join()) ?? { classes, caseIds: [] };
    due.set(classes.join(), { ...group, caseIds: [...group.caseIds, row.id] });
  }
  const last = rows.at(-1);
  return {
    due: [...due.values()],
    next: rows.length < limit || last === undefined ? null : `${last.at}|${last.id}`,
  };
}
