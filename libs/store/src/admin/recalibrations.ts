import {
  toStored,
  type NewRecalibration,
  type RecalibrationEntry,
  type Recalibrations,
} from '@casefile/contracts';
import type { Recalibration } from '../generated/admin/client.js';
import { recordAct, statementsIn, type AdminTransaction } from './acts.js';
import type { Administration } from './administration.js';

const MOST_LISTED = 1_000;

/** Lists and adds recalibrations, for the console. */
export function recalibrations(administer: Administration): Recalibrations {
  return {
    list: () =>
      administer(async (client) =>
        (await client.recalibration.findMany({ orderBy: { version: 'desc' }, take: MOST_LISTED })).map(entry),
      ),
    add: (given) => administer((client) => client.$transaction((tx) => add(tx, toStored(given)))),
  };
}

async function add(tx: AdminTransaction, given: NewRecalibration): Promise<RecalibrationEntry> {
  const { actId, by, reason, from, to, ...data } = given;
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('recalibrations', 12))`;
  const known = await tx.recalibration.findUnique({ where: { actId } });
  if (known !== null) return entry(known);
  const version = ((await tx.recalibration.aggregate({ _max: { version: true } }))._max.version ?? 0) + 1;
  const { playbook, labels } = data;
  await recordAct(statementsIn(tx), {
    actId,
    by,
    reason,
    type: 'recalibration.added',
    subject: `recalibration ${version}`,
    data: { version, playbook, labels },
  });
  const own = { version, actId, author: by, reason, oldest: new Date(from), newest: new Date(to) };
  return entry(await tx.recalibration.create({ data: { ...data, ...own } }));
}

function entry({ oldest, newest, createdAt, points, actId: _, ...row }: Recalibration): RecalibrationEntry {
  return {
    ...row,
    method: row.method as RecalibrationEntry['method'],
    points: points as unknown as RecalibrationEntry['points'],
    from: oldest.toISOString(),
    to: newest.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}
