import { csvText, nextSorting, sortRows, type Column } from './table-columns.js';

interface Row {
  name: string;
  cost: number | null;
}
const COLUMNS: Column<Row>[] = [
  { name: 'Name', cell: ({ name }) => name, value: ({ name }) => name },
  { name: 'Cost', cell: ({ cost }) => cost, value: ({ cost }) => cost },
];
const ROWS: Row[] = [
  { name: 'case 10', cost: 2 },
  { name: 'Case 9', cost: null },
  { name: 'b', cost: -1 },
];
const names = (column: string, isDescending: boolean) =>
  sortRows(ROWS, COLUMNS, { name: column, isDescending }).map(({ name }) => name);

describe('S2-32 columns of a table', () => {
  it('sort texts with the numbers in them, and rows without a value last in both directions', () => {
    expect(names('Name', false)).toEqual(['b', 'Case 9', 'case 10']);
    expect(names('Cost', false)).toEqual(['b', 'case 10', 'Case 9']);
    expect(names('Cost', true)).toEqual(['case 10', 'b', 'Case 9']);
    expect(names('absent', true)).toEqual(ROWS.map(({ name }) => name));
  });

  it('are sorted upwards, downwards and not at all by the same button', () => {
    const up = nextSorting(null, 'Name');
    const down = nextSorting(up, 'Name');
    expect([up, down, nextSorting(down, 'Name')]).toEqual([
      { name: 'Name', isDescending: false },
      { name: 'Name', isDescending: true },
      null,
    ]);
    expect(nextSorting(down, 'Cost')).toEqual({ name: 'Cost', isDescending: false });
  });

  it('are exported as CSV without formulas', () => {
    const odd = ['=HYPERLINK("x")', '+1', '-1', '@sum', '\tx', 'a "b"', 'a,b', 'a\nb', 'plain'];
    const text = csvText(
      odd.map((name) => ({ name, cost: name === 'plain' ? null : -2 })),
      COLUMNS,
    );
    expect(text.split('\r\n').slice(0, -1)).toEqual([
      'Name,Cost',
      '"\'=HYPERLINK(""x"")",-2',
      "'+1,-2",
      "'-1,-2",
      "'@sum,-2",
      "'\tx,-2",
      '"a ""b""",-2',
      '"a,b",-2',
      '"a\nb",-2',
      'plain,',
    ]);
  });
});
