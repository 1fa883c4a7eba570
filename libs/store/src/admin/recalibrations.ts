import {
  recalibrationSchema,
  toStored,
  type NewRecalibration,
  type RecalibrationEntry,
  type Recalibrations,
} from '@casefile/contracts';
import { copyColumns, insertInto, tableColumns } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { rowSet, WithClause } from '../row-set.js';
import { iso, recordBySchema } from '../rows.js';
import { lockKey, recordAct } from './acts.js';

const MOST_LISTED = 1_000;

const FIELDS = [
  'version',
  'playbook',
  'strategy',
  'prompts',
  'model',
  'language',
  'confidence_source',
  'method',
  'labels',
  'oldest',
  'newest',
  'runs_digest',
  'brier_stated',
  'brier_recalibrated',
  'points',
  'author',
  'reason',
] as const;
const LIST = `select * from recalibrations order by version desc limit ${MOST_LISTED}`;
const ADDED_BY = 'select * from recalibrations where act_id = $1';
const NEWEST = 'select coalesce(max(version), 0) as version from recalibrations';
const ROWS = rowSet('given', tableColumns('recalibrations', ...FIELDS, 'act_id'));
const ADD = `${insertInto('recalibrations', copyColumns('g', ...FIELDS, 'act_id'))} from given g returning *`;

/** Lists and adds recalibrations, for the console. */
export function recalibrations(database: Database): Recalibrations {
  return {
    list: async () => (await database.rows<Row>(LIST)).map(entry),
    add: (recalibration) => database.transaction((tx) => add(tx, toStored(recalibration))),
  };
}

async function add(tx: Queryable, recalibration: NewRecalibration): Promise<RecalibrationEntry> {
  const { actId, by, reason, from, to, ...data } = recalibration;
  await lockKey(tx, 'recalibrations');
  const [known] = await tx.rows<Row>(ADDED_BY, [actId]);
  if (known !== undefined) return entry(known);
  const [newest] = await tx.rows<{ version: number }>(NEWEST);
  const version = (newest?.version ?? 0) + 1;
  const { playbook, labels } = data;
  await recordAct(tx, {
    actId,
    by,
    reason,
    type: 'recalibration.added',
    subject: `recalibration ${version}`,
    data: { version, playbook, labels },
  });
  const row = { ...data, version, actId, author: by, reason, oldest: from, newest: to };
  const { text, params } = new WithClause().rows(ROWS, [row]).statement(ADD);
  const [added] = await tx.rows<Row>(text, params);
  return entry(added!);
}

type Row = { oldest: Date; newest: Date };

const entryOf = recordBySchema(
  'recalibrations',
  recalibrationSchema.omit({ from: true, to: true, inForce: true }),
);

const entry = (row: Row): RecalibrationEntry => ({
  ...entryOf(row),
  from: iso(row.oldest),
  to: iso(row.newest),
});
