import { TABLES } from '../generated/tables.js';
import { testRecord } from '../testing/test-record.js';

describe('the columns that statements are checked against', () => {
  const at = testRecord();

  it('are those of the migrated database', async () => {
    const rows = await at().store.database.rows<{ table: string; columns: Record<string, string> }>(
      `select table_name as "table", json_object_agg(column_name,
          case when is_nullable = 'YES' and data_type <> 'ARRAY' then '?'
            when column_default is not null then '=' else '' end) as columns
       from information_schema.columns where table_schema = 'public' group by 1`,
    );
    const migrated = Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
    for (const [table, columns] of Object.entries(TABLES)) {
      const marks = Object.entries(columns).map(([name, type]) => [name, /[?=]?$/.exec(type)![0]]);
      expect([table, migrated[table]]).toEqual([table, Object.fromEntries(marks)]);
    }
  });
});
