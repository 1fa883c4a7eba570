import {
  CasefileError,
  toStored,
  type NewPromptVersion,
  type PromptAct,
  type PromptMove,
  type PromptName,
  type PromptVersionEntry,
  type PromptVersions,
} from '@casefile/contracts';
import { columnList, copyColumns, insertInto, tableColumns } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { rowSet, WithClause } from '../row-set.js';
import { recordOf } from '../rows.js';
import { actHistory, lockKey, recordAct } from './acts.js';

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
      return row === undefined ? null : { ...entryOf(row), text: row.body };
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
