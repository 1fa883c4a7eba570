import {
  CasefileError,
  toStored,
  type NewPromptVersion,
  type PromptAct,
  type PromptMove,
  type PromptName,
  type PromptState,
  type PromptVersionEntry,
  type PromptVersions,
} from '@casefile/contracts';
import type { PromptVersion } from '../generated/admin/client.js';
import type { PrismaClient } from './admin-client.js';
import { recordAct, statementsIn, type AdminTransaction } from './acts.js';
import type { Administration } from './administration.js';

const ADDED = 'prompt.version_added';
const MOVED = 'prompt.state_changed';

const WITHOUT_TEXT = { body: true } as const;

/** Lists, adds and moves prompt versions, for the console. */
export function promptVersions(
  administer: Administration,
): Pick<PromptVersions, 'list' | 'get' | 'history' | 'add' | 'move'> {
  return {
    list: (of) =>
      administer(async (client) => {
        const orderBy = [{ playbook: 'asc' }, { name: 'asc' }, { version: 'asc' }] as const;
        const where = of === undefined ? {} : keyOf(of);
        const rows = await client.promptVersion.findMany({
          where,
          orderBy: [...orderBy],
          omit: WITHOUT_TEXT,
        });
        return rows.map(entry);
      }),
    get: (of, version) =>
      administer(async (client) => {
        const key = { playbook_name_version: { ...keyOf(of), version } };
        const row = await client.promptVersion.findUnique({ where: key });
        return row === null ? null : { ...entry(row), text: row.body };
      }),
    history: (of, limit) => administer((client) => promptHistory(client, of, limit)),
    add: (version) => administer((client) => client.$transaction((tx) => addVersion(tx, toStored(version)))),
    move: (move) => administer((client) => client.$transaction((tx) => moveVersion(tx, toStored(move)))),
  };
}

async function promptHistory(client: PrismaClient, of: PromptName, take: number): Promise<PromptAct[]> {
  const acts = await client.act.findMany({
    where: { subject: subjectOf(of) },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take,
  });
  return acts.map(({ id, type, by, reason, data, at }) => {
    const { version, from, to, replaced } = data as unknown as PromptAct;
    const act = { version, from, to, replaced, by, reason, at: at.toISOString() };
    return { actId: id, type: type as PromptAct['type'], ...act };
  });
}

async function addVersion(tx: AdminTransaction, given: NewPromptVersion) {
  const { actId, by, reason, id, sha256, text, parent } = given;
  const versions = await lockVersions(tx, given);
  const same = versions.find((one) => one.sha256 === sha256);
  if (same !== undefined) return { version: entry(same), added: false };
  const version = Math.max(0, ...versions.map((one) => one.version)) + 1;
  const data = { ...keyOf(given), version, id, from: null, to: 'candidate', replaced: null };
  const isNew = await recordAct(statementsIn(tx), {
    actId,
    by,
    reason,
    type: ADDED,
    subject: subjectOf(given),
    data,
  });
  if (!isNew) throw new CasefileError('conflict', `the actId "${actId}" added another text: send a new one`);
  // Runs read prompt texts by id and digest from this table, so the text must be there before it is used.
  await tx.$executeRaw`
    insert into prompt_texts (id, sha256, body) values (${id}, ${sha256}, ${text}) on conflict do nothing`;
  const row = await tx.promptVersion.create({
    data: {
      ...keyOf(given),
      version,
      id,
      sha256,
      body: text,
      author: by,
      message: reason,
      parent,
      state: 'candidate',
    },
  });
  return { version: entry(row), added: true };
}

/** Moves a version to another state, as part of the caller's transaction. */
export async function moveVersion(tx: AdminTransaction, move: PromptMove): Promise<PromptVersionEntry> {
  const { actId, by, reason, to } = move;
  const versions = await lockVersions(tx, move);
  const found = versions.find(({ version }) => version === move.version);
  if (found === undefined) throw new CasefileError('not_found', `the prompt has no version ${move.version}`);
  const from = found.state as PromptState;
  const live = versions.find(({ state }) => state === 'live');
  const replaced = to === 'live' && live?.version !== found.version ? (live?.version ?? null) : null;
  const data = { ...keyOf(move), version: found.version, id: found.id, from, to, replaced };
  if (
    !(await recordAct(statementsIn(tx), { actId, by, reason, type: MOVED, subject: subjectOf(move), data }))
  )
    return entry(found);
  if (from === 'live' && to !== 'live')
    throw new CasefileError(
      'conflict',
      'the version is live: make another version live, which retires this one',
    );
  const moved = { movedBy: by, changedAt: new Date() };
  if (replaced !== null) await update(tx, move, replaced, { ...moved, state: 'retired' });
  return entry(await update(tx, move, found.version, { ...moved, state: to }));
}

function update(
  tx: AdminTransaction,
  of: PromptName,
  version: number,
  data: { state: PromptState; movedBy: string; changedAt: Date },
) {
  return tx.promptVersion.update({ where: { playbook_name_version: { ...keyOf(of), version } }, data });
}

/** Returns all versions of a prompt, and locks them until the transaction ends. */
async function lockVersions(tx: AdminTransaction, of: PromptName): Promise<Omit<PromptVersion, 'body'>[]> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${subjectOf(of)}, 12))`;
  return tx.promptVersion.findMany({ where: keyOf(of), omit: WITHOUT_TEXT });
}

const keyOf = ({ playbook, name }: PromptName) => ({ playbook, name });
const subjectOf = ({ playbook, name }: PromptName): string => `prompt ${playbook}/${name}`;

function entry(row: Omit<PromptVersion, 'body'>): PromptVersionEntry {
  const { playbook, name, version, id, sha256, author, message, parent, state, movedBy, unfit } = row;
  const [createdAt, changedAt] = [row.createdAt.toISOString(), row.changedAt.toISOString()];
  const at = { createdAt, changedAt };
  return {
    playbook,
    name,
    version,
    id,
    sha256,
    author,
    message,
    parent,
    state: state as PromptState,
    movedBy,
    unfit,
    ...at,
  };
}
