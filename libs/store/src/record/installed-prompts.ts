import {
  storableJson,
  type InstalledPromptText,
  type PromptName,
  type PromptVersions,
  type PromptVersionText,
} from '@casefile/contracts';
import type { Database, Transaction } from '../database.js';

/** $1: the texts as JSON, shipped ones before those of the folder. */
const TEXTS = `texts as (
    select * from json_to_recordset($1::json) as t (playbook text, name text, id text, sha256 text, "text" text,
      author text, declared int, "inForce" boolean))`;

const LOCK = `
  select pg_advisory_xact_lock(hashtextextended('prompt ' || playbook || '/' || name, 12))
  from (select distinct playbook, name from json_to_recordset($1::json) as t (playbook text, name text)
    order by playbook, name) as prompts`;

const KEEP_TEXTS = `
  with ${TEXTS}
  insert into prompt_texts (id, sha256, body) select id, sha256, "text" from texts order by id, sha256
  on conflict do nothing`;

/** Runs once per author: the version numbers of the folder's texts depend on those of the shipped texts. */
const ADD = `
  with ${TEXTS}
  insert into prompt_versions (playbook, name, version, id, body, sha256, author, message, state)
  select t.playbook, t.name, greatest(t.declared, 1 + coalesce((select max(version) from prompt_versions v
      where v.playbook = t.playbook and v.name = t.name), 0)), t.id, t."text", t.sha256, t.author,
    case t.author when 'shipped' then 'shipped with the release' else 'from the folder of CASEFILE_PROMPTS' end,
    'candidate'
  from texts t
  on conflict (playbook, name, sha256) do nothing`;

const RETIRE = `
  with ${TEXTS}
  update prompt_versions v set state = 'retired', changed_at = now() from texts t
  where v.playbook = t.playbook and v.name = t.name and t."inForce" and v.sha256 <> t.sha256
    and v.state = 'live' and v.moved_by is null`;

const ENLIVEN = `
  with ${TEXTS}
  update prompt_versions v set state = 'live', changed_at = now(), moved_by = null from texts t
  where v.playbook = t.playbook and v.name = t.name and t."inForce" and v.sha256 = t.sha256 and v.state <> 'live'
    and not exists (select from prompt_versions o where o.playbook = v.playbook and o.name = v.name and o.state = 'live')`;

const MOVED = `
  with ${TEXTS}
  select t.playbook, t.name from texts t join prompt_versions v on v.playbook = t.playbook and v.name = t.name
  where t."inForce" and v.state = 'live' and v.sha256 <> t.sha256 order by t.playbook, t.name`;

const IN_USE = `
  select playbook, name, version, id, sha256, author, message, parent, state, moved_by as "movedBy", unfit,
    created_at as "createdAt", changed_at as "changedAt", body as text
  from prompt_versions where state <> 'retired' order by playbook, name, version`;

const NOTE_FIT = `
  update prompt_versions set unfit = $4
  where playbook = $1 and name = $2 and version = $3 and unfit is distinct from $4`;

/**
 * Stores the shipped texts and those of CASEFILE_PROMPTS as prompt versions. The process that asks models does so at
 * its start.
 */
export function installedPrompts(database: Database): Pick<PromptVersions, 'install' | 'inUse' | 'noteFit'> {
  return {
    install: (texts) => database.transaction((tx) => install(tx, texts)),
    inUse: async () => {
      const rows = await database.rows<PromptVersionText & { createdAt: Date; changedAt: Date }>(IN_USE);
      return rows.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        changedAt: row.changedAt.toISOString(),
      }));
    },
    noteFit: async ({ playbook, name }, version, unfit) =>
      void (await database.rows(NOTE_FIT, [playbook, name, version, unfit])),
  };
}

async function install(tx: Transaction, texts: readonly InstalledPromptText[]): Promise<PromptName[]> {
  if (texts.length === 0) return [];
  const all = storableJson(texts);
  await tx.rows(LOCK, [all]);
  await tx.rows(KEEP_TEXTS, [all]);
  for (const author of ['shipped', 'folder'] as const)
    await tx.rows(ADD, [storableJson(texts.filter((text) => text.author === author))]);
  await tx.rows(RETIRE, [all]);
  await tx.rows(ENLIVEN, [all]);
  return tx.rows<PromptName>(MOVED, [all]);
}
