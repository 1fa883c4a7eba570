import {
  CasefileError,
  toStored,
  type NewPromptVersion,
  type PromptAct,
  type PromptMove,
  type PromptName,
  type PromptVersionEntry,
  type PromptVersions,
  storableJson,
  type InstalledPromptText,
  type PromptVersionText,
  type KeptPrompt,
  type PromptSets,
} from '@casefile/contracts';
import { columnList, copyColumns, insertInto, tableColumns } from '../columns.js';
import type { Database, Queryable, Transaction } from '../database.js';
import { rowSet, WithClause } from '../row-set.js';
import { recordOf } from '../rows.js';
import { actHistory, lockKey, recordAct } from '../admin/acts.js';

const ADDED = 'prompt.version_added';
const MOVED = 'prompt.state_changed';

const GIVEN = [
  'playbook',
  'name',
  'version',
  'id',
  'sha256',
  'author',
  'message',
  'parent',
  'state',
] as const;
const ALL = columnList('prompt_versions', '', ...GIVEN, 'moved_by', 'unfit', 'created_at', 'changed_at');
const entryOf = recordOf<PromptVersionEntry>()([...GIVEN, 'movedBy', 'unfit', 'createdAt', 'changedAt']);

const withText = (row: { body: string }): PromptVersionText => ({ ...entryOf(row), text: row.body });

const LIST = `select ${ALL} from prompt_versions order by playbook, name, version`;
const OF_PROMPT = `select ${ALL} from prompt_versions where playbook = $1 and name = $2 order by version`;
const READ = `select ${ALL}, body from prompt_versions where playbook = $1 and name = $2 and version = $3`;
const ROWS = rowSet('given', tableColumns('prompt_versions', ...GIVEN, 'body'));
const ADD = `
  ${insertInto('prompt_versions', copyColumns('g', ...GIVEN, 'body'))} from given g returning ${ALL}`;
const KEEP_TEXT = 'insert into prompt_texts (id, sha256, body) values ($1, $2, $3) on conflict do nothing';
const MOVE = `
  update prompt_versions set state = $4, moved_by = $5, changed_at = clock_timestamp()
  where playbook = $1 and name = $2 and version = $3 returning ${ALL}`;

/** Lists, adds and moves prompt versions, for the console. */
export function promptVersions(
  database: Database,
): Pick<PromptVersions, 'list' | 'get' | 'history' | 'add' | 'move'> {
  return {
    list: async (of) =>
      of === undefined ? (await database.rows(LIST)).map(entryOf) : versionsOf(database, of),
    get: async ({ playbook, name }, version) => {
      const [row] = await database.rows<{ body: string }>(READ, [playbook, name, version]);
      return row === undefined ? null : withText(row);
    },
    history: async (of, limit) =>
      (await actHistory<PromptAct>(database, subjectOf(of), limit)).map(({ type, data, ...act }) => {
        const { version, from, to, replaced } = data;
        return { ...act, type: type as PromptAct['type'], version, from, to, replaced };
      }),
    add: (version) => database.transaction((tx) => addVersion(tx, toStored(version))),
    move: (move) => database.transaction((tx) => moveVersion(tx, toStored(move))),
  };
}

/** Returns all versions of a prompt, by version. */
export async function versionsOf(
  on: Queryable,
  { playbook, name }: PromptName,
): Promise<PromptVersionEntry[]> {
  return (await on.rows(OF_PROMPT, [playbook, name])).map(entryOf);
}

async function addVersion(tx: Queryable, newVersion: NewPromptVersion) {
  const { playbook, name, actId, by, reason, id, sha256, text: body, parent } = newVersion;
  const versions = await lockVersions(tx, newVersion);
  const same = versions.find((one) => one.sha256 === sha256);
  if (same !== undefined) return { version: same, added: false };
  const version = Math.max(0, ...versions.map((one) => one.version)) + 1;
  const data = { playbook, name, version, id, from: null, to: 'candidate', replaced: null };
  if (!(await recordAct(tx, { actId, by, reason, type: ADDED, subject: subjectOf(newVersion), data })))
    throw new CasefileError('conflict', `the actId "${actId}" added another text: send a new one`);
  // Runs read prompt texts by id and digest from this table, so the text must be there before it is used.
  await tx.rows(KEEP_TEXT, [id, sha256, body]);
  const text = { id, sha256, body, parent, author: by, message: reason };
  const row = { playbook, name, version, state: 'candidate', ...text };
  const adding = new WithClause().rows(ROWS, [row]).statement(ADD);
  const [added] = await tx.rows(adding.text, adding.params);
  return { version: entryOf(added!), added: true };
}

/** Moves a version to another state, as part of the caller's transaction. */
export async function moveVersion(tx: Queryable, move: PromptMove): Promise<PromptVersionEntry> {
  const { playbook, name, actId, by, reason, to } = move;
  const versions = await lockVersions(tx, move);
  const target = versions.find(({ version }) => version === move.version);
  if (target === undefined) throw new CasefileError('not_found', `the prompt has no version ${move.version}`);
  const { state: from } = target;
  const live = versions.find(({ state }) => state === 'live');
  const replaced = to === 'live' && live?.version !== target.version ? (live?.version ?? null) : null;
  const data = { playbook, name, version: target.version, id: target.id, from, to, replaced };
  if (!(await recordAct(tx, { actId, by, reason, type: MOVED, subject: subjectOf(move), data })))
    return target;
  if (from === 'live' && to !== 'live')
    throw new CasefileError(
      'conflict',
      'the version is live: make another version live, which retires this one',
    );
  if (replaced !== null) await tx.rows(MOVE, [playbook, name, replaced, 'retired', by]);
  const [moved] = await tx.rows(MOVE, [playbook, name, target.version, to, by]);
  return entryOf(moved!);
}

/** Returns all versions of a prompt, and locks them until the transaction ends. */
async function lockVersions(tx: Queryable, of: PromptName): Promise<PromptVersionEntry[]> {
  await lockKey(tx, subjectOf(of));
  return versionsOf(tx, of);
}

const subjectOf = ({ playbook, name }: PromptName): string => `prompt ${playbook}/${name}`;

/** $1: the texts as JSON, shipped ones before those of the folder. */
const INSTALLED = `texts as (
    select * from json_to_recordset($1::json) as t (playbook text, name text, id text, sha256 text, "text" text,
      author text, declared int, "inForce" boolean))`;

const LOCK = `
  select pg_advisory_xact_lock(hashtextextended('prompt ' || playbook || '/' || name, 12))
  from (select distinct playbook, name from json_to_recordset($1::json) as t (playbook text, name text)
    order by playbook, name) as prompts`;

const KEEP_TEXTS = `
  with ${INSTALLED}
  insert into prompt_texts (id, sha256, body) select id, sha256, "text" from texts order by id, sha256
  on conflict do nothing`;

/** Runs once per author: the version numbers of the folder's texts depend on those of the shipped texts. */
const ADD_INSTALLED = `
  with ${INSTALLED}
  insert into prompt_versions (playbook, name, version, id, body, sha256, author, message, state)
  select t.playbook, t.name, greatest(t.declared, 1 + coalesce((select max(version) from prompt_versions v
      where v.playbook = t.playbook and v.name = t.name), 0)), t.id, t."text", t.sha256, t.author,
    case t.author when 'shipped' then 'shipped with the release' else 'from the folder of CASEFILE_PROMPTS' end,
    'candidate'
  from texts t
  on conflict (playbook, name, sha256) do nothing`;

const RETIRE = `
  with ${INSTALLED}
  update prompt_versions v set state = 'retired', changed_at = now() from texts t
  where v.playbook = t.playbook and v.name = t.name and t."inForce" and v.sha256 <> t.sha256
    and v.state = 'live' and v.moved_by is null`;

const ENLIVEN = `
  with ${INSTALLED}
  update prompt_versions v set state = 'live', changed_at = now(), moved_by = null from texts t
  where v.playbook = t.playbook and v.name = t.name and t."inForce" and v.sha256 = t.sha256 and v.state <> 'live'
    and not exists (select from prompt_versions o where o.playbook = v.playbook and o.name = v.name and o.state = 'live')`;

const MOVED_BY_PERSON = `
  with ${INSTALLED}
  select t.playbook, t.name from texts t join prompt_versions v on v.playbook = t.playbook and v.name = t.name
  where t."inForce" and v.state = 'live' and v.sha256 <> t.sha256 order by t.playbook, t.name`;

const IN_USE = `select ${ALL}, body from prompt_versions where state <> 'retired' order by playbook, name, version`;

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
    inUse: async () => (await database.rows<{ body: string }>(IN_USE)).map(withText),
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
    await tx.rows(ADD_INSTALLED, [storableJson(texts.filter((text) => text.author === author))]);
  await tx.rows(RETIRE, [all]);
  await tx.rows(ENLIVEN, [all]);
  return tx.rows<PromptName>(MOVED_BY_PERSON, [all]);
}

/** $1: the set; $2: its prompts as JSON { id, sha256, text }. */
const KEEP_SET = `
  with prompts as (select * from json_to_recordset($2::json) as p(id text, sha256 text, "text" text)),
  texts as (
    insert into prompt_texts (id, sha256, body) select id, sha256, "text" from prompts order by id, sha256
    on conflict do nothing)
  insert into prompt_sets (id, prompts)
  select $1, json_agg(json_build_object('id', id, 'sha256', sha256) order by id, sha256) from prompts
  on conflict do nothing`;

const READ_SET = `
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
    keep: async ({ id, prompts }) => void (await database.rows(KEEP_SET, [id, storableJson(prompts)])),
    get: async (id) => {
      const prompts = await database.rows<KeptPrompt>(READ_SET, [id]);
      return prompts.length === 0 ? null : { id, prompts };
    },
    texts: (named) => database.rows<KeptPrompt>(TEXTS, [storableJson(named)]),
  };
}
