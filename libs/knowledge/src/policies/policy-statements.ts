import { assignments, tableColumns, copyColumns, insertInto, rowSet } from '@casefile/store';

// SQL statements of policies.

/** Followed by a condition. */
export const VERSIONS = `
  select v.policy_id as "policyId", v.version, v.title, v.language, v.format, v.source, v.pages, v.sections,
    v.imported_at as "importedAt"
  from policies p join policy_versions v on v.policy_id = p.id`;

/**
 * $1 policy id, then title, language, format, source, its digest, the text's digest, pages, number of
 * sections.
 */
export const VERSION_INSERT = `
  insert into policy_versions (policy_id, version, title, language, format, source, source_digest, digest, pages, sections)
  select $1, coalesce((select max(version) from policy_versions where policy_id = $1), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9
  returning version`;

export const SUMMARIES = rowSet('summary_rows', { node_id: 'text', summary: 'text', by: 'text?' });
/** $1 policy id, $2 version. */
export const SAVE_SUMMARIES = `
  update policy_sections s set ${assignments('policy_sections', { summary: 'n.summary', summary_by: 'n."by"' })}
  from summary_rows n where s.policy_id = $1 and s.version = $2 and s.node_id = n.node_id returning 1`;

export const NEW_SECTIONS = rowSet('section_rows', {
  ...tableColumns('policy_sections', 'node_id', 'position', 'parent_id', 'level', 'title', 'text', 'summary'),
  ...tableColumns('policy_sections', 'page_from', 'page_to', 'line_from', 'line_to', 'confidential'),
});
/** $1 policy id, $2 version, $3 configuration. A word in a title weighs more than one in a text. */
export const ADD_SECTIONS = `
  ${insertInto('policy_sections', {
    policy_id: '$1',
    version: '$2',
    ...copyColumns(
      '',
      'node_id',
      'position',
      'parent_id',
      'level',
      'title',
      'text',
      'summary',
      'confidential',
    ),
    ...copyColumns('', 'page_from', 'page_to', 'line_from', 'line_to'),
    words: `setweight(to_tsvector($3::regconfig, title), 'A') || setweight(to_tsvector($3::regconfig, text), 'D')`,
  })} from section_rows`;

const NODE_COLUMNS = `node_id as "nodeId", parent_id as "parentId", level, title, summary, summary_by as "summaryBy", confidential,
  length(text) as characters, page_from as "pageFrom", page_to as "pageTo", line_from as "lineFrom", line_to as "lineTo"`;

/** $1 policy id, $2 version. */
export const NODES = `select ${NODE_COLUMNS} from policy_sections
  where policy_id = $1 and version = $2 order by "position"`;

/** As `NODES`, with $3 node ids as JSON. */
export const SECTIONS = `select ${NODE_COLUMNS}, text from policy_sections
  where policy_id = $1 and version = $2 and node_id in (select json_array_elements_text($3::json)) order by "position"`;

/**
 * $3 configuration, $4 query, $5 limit. Unlike Postgres' own ranks, a word weighs more if fewer sections
 * contain it: in a policy about claims the word claim is not informative.
 */
export const RANKED_SECTIONS = `
  with words as (
    select lexeme, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery as query
    from unnest(to_tsvector($3::regconfig, $4))),
  hits as (
    select w.lexeme, s.node_id, s."position", ts_rank('{0.2, 0.2, 0.4, 0.6}', s.words, w.query, 1)::float8 as rank,
      count(*) over (partition by w.lexeme) as having_it
    from words w join policy_sections s on s.policy_id = $1 and s.version = $2 and s.words @@ w.query),
  size as (select sections from policy_versions where policy_id = $1 and version = $2)
  select node_id as "nodeId", sum(rank * ln(1 + size.sections::float8 / having_it)) as rank
  from hits, size group by node_id, "position" order by rank desc, "position" limit $5`;

/** $1 texts as JSON, $2 configuration, $3 query, $4 limit. */
export const RANKED_SPANS = `
  with query as (select any_word_of($2::regconfig, $3) as words, phraseto_tsquery($2::regconfig, $3) as phrase),
  spans as (select n, to_tsvector($2::regconfig, value) as words
    from json_array_elements_text($1::json) with ordinality as t(value, n))
  select n::int as n, (ts_rank(spans.words, query.words)
    + case when numnode(query.phrase) > 0 and spans.words @@ query.phrase then 1 else 0 end)::float8 as rank
  from spans, query where spans.words @@ query.words order by rank desc, n limit $4`;
