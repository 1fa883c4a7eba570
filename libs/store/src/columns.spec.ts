import { assignments, tableColumns, copyColumns, insertInto, columnList } from './columns.js';
import { rowSet, WithClause } from './row-set.js';

const NOTES = rowSet('note_rows', { i: 'int', ...tableColumns('units', 'run_id', 'message', 'wait_step') });

describe('statements over the columns of the schema', () => {
  it('name each column once, with the expression that it gets', () => {
    const values = { id: 'd.id', run_id: 'd.run', replaces: 'null' };
    expect(insertInto('deliveries', values)).toMatch(
      /^insert into deliveries \(id, run_id, replaces\)\s+select d.id, d.run, null$/,
    );
    expect(assignments('budgets', { limit: '1', spent: 'b.spent + 1' })).toBe(
      '"limit" = 1, spent = b.spent + 1',
    );
    expect(columnList('budgets', 'b', 'key', 'window')).toBe('b.key, b."window"');
    expect(copyColumns('q', 'key', 'limit')).toEqual({ key: 'q.key', limit: 'q."limit"' });
  });

  it('read rows from one parameter, by the keys of records', () => {
    const clause = new WithClause('first').rows(NOTES, [{ i: 0, runId: 'r', message: 'm\0' }]);
    const { text, params } = clause.statement('select 1');
    expect(text).toMatch(
      /^with\s+note_rows \(i, run_id, message, wait_step\) as \(\s+select \* from json_to_recordset\(\$2/,
    );
    expect(text).toContain('as r ("i" int, "runId" uuid, "message" text, "waitStep" int)');
    expect(params).toEqual(['first', '[{"i":0,"runId":"r","message":"m\u2400"}]']);
  });

  it('do not compile with a column that is not there, one that is lacking or a value of another type', () => {
    // @ts-expect-error no such column
    columnList('units', 'u', 'run');
    // @ts-expect-error no such column
    assignments('units', { run: '1' });
    // @ts-expect-error the column run_id has no default
    insertInto('deliveries', { id: '1' });
    // @ts-expect-error no such column
    expect(tableColumns('units', 'run')).toEqual({ run: undefined });
    // @ts-expect-error the key is runId
    new WithClause().rows(NOTES, [{ i: 0, run_id: 'r' }]);
    // @ts-expect-error a step is a number
    new WithClause().rows(NOTES, [{ i: 0, runId: 'r', waitStep: '1' }]);
    // A nullable column is optional.
    new WithClause().rows(NOTES, [{ i: 0, runId: 'r', message: null }]);
  });
});
