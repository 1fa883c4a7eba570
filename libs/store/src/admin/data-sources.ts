import {
  CasefileError,
  storableJson,
  toStored,
  type Act,
  type AddedDataSource,
  type DataSources,
} from '@casefile/contracts';
import { columnList } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { recordOf } from '../rows.js';
import { lockKey, recordAct } from './acts.js';

const COLUMNS = columnList(
  'data_sources',
  '',
  'name',
  'entry',
  'changed_by',
  'changed_at',
  'test_requested_at',
);
/** Reads a row of `LIST_DATA_SOURCES`. */
export const dataSourceOf = recordOf<AddedDataSource>()([
  'name',
  'entry',
  'changedBy',
  'changedAt',
  'testRequestedAt',
]);

/** Lists the data sources on the record. */
export const LIST_DATA_SOURCES = `select ${COLUMNS} from data_sources order by name`;
const READ = `select ${COLUMNS} from data_sources where name = $1`;
const ADD = `
  insert into data_sources (name, entry, changed_by, changed_at) values ($1, $2::json, $3, clock_timestamp())
  returning ${COLUMNS}`;
const REMOVE = 'delete from data_sources where name = $1 returning name';
const IS_KNOWN_ACT = 'select from acts where id = $1';
const REQUEST_TEST = `
  update data_sources set test_requested_at = clock_timestamp() where name = $1 returning ${COLUMNS}`;

/** Data sources on the record. Additions and removals are acts. */
export function postgresDataSources(database: Database): DataSources {
  return {
    list: async () => (await database.rows(LIST_DATA_SOURCES)).map(dataSourceOf),
    add: (...args) => database.transaction((tx) => add(tx, ...toStored(args))),
    remove: (...args) => database.transaction((tx) => remove(tx, ...toStored(args))),
    requestTest: async (name) => {
      const [row] = await database.rows(REQUEST_TEST, [name]);
      return row === undefined ? null : dataSourceOf(row).testRequestedAt;
    },
  };
}

async function add(
  tx: Queryable,
  ...[{ name, entry }, act]: Parameters<DataSources['add']>
): Promise<AddedDataSource> {
  await lockKey(tx, subjectOf(name));
  const [known] = await tx.rows(READ, [name]);
  const { url, secret, kinds } = entry;
  const data = { source: name, address: new URL(url).origin, secret, kinds };
  const isNew = await recordAct(tx, { ...act, type: 'source.added', subject: subjectOf(name), data });
  if (!isNew && known !== undefined) return dataSourceOf(known);
  if (known !== undefined)
    throw new CasefileError(
      'conflict',
      `there is a data source ${name} already: remove it, or choose a name`,
    );
  const [row] = await tx.rows(ADD, [name, storableJson(entry), act.by]);
  return dataSourceOf(row!);
}

async function remove(tx: Queryable, name: string, act: Act): Promise<boolean> {
  await lockKey(tx, subjectOf(name));
  const removed = await tx.rows(REMOVE, [name]);
  if (removed.length === 0) return (await tx.rows(IS_KNOWN_ACT, [act.actId])).length > 0;
  return recordAct(tx, { ...act, type: 'source.removed', subject: subjectOf(name), data: { source: name } });
}

const subjectOf = (name: string): string => `source ${name}`;
