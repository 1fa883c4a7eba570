import { storableJson, type KeptPrompt, type PromptSets } from '@casefile/contracts';
import type { Queryable } from '../database.js';

/** $1: the set; $2: its prompts as JSON { id, sha256, text }. */
const KEEP = `
  with prompts as (select * from json_to_recordset($2::json) as p(id text, sha256 text, "text" text)),
  texts as (
    insert into prompt_texts (id, sha256, body) select id, sha256, "text" from prompts order by id, sha256
    on conflict do nothing)
  insert into prompt_sets (id, prompts)
  select $1, json_agg(json_build_object('id', id, 'sha256', sha256) order by id, sha256) from prompts
  on conflict do nothing`;

const READ = `
  select p.id, p.sha256, t.body as text
  from prompt_sets s cross join json_to_recordset(s.prompts) as p(id text, sha256 text)
    join prompt_texts t on t.id = p.id and t.sha256 = p.sha256
  where s.id = $1 order by p.id, p.sha256`;

/** $1: JSON of { id, sha256 }. */
const TEXTS = `
  select t.id, t.sha256, t.body as text
  from json_to_recordset($1::json) as p(id text, sha256 text) join prompt_texts t using (id, sha256)
  order by t.id, t.sha256`;

/** Texts of prompts, in Postgres. */
export function postgresPromptSets(database: Queryable): PromptSets {
  return {
    keep: async ({ id, prompts }) => void (await database.rows(KEEP, [id, storableJson(prompts)])),
    get: async (id) => {
      const prompts = await database.rows<KeptPrompt>(READ, [id]);
      return prompts.length === 0 ? null : { id, prompts };
    },
    texts: (named) => database.rows<KeptPrompt>(TEXTS, [storableJson(named)]),
  };
}
