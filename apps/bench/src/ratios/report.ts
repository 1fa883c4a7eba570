/** One line of the table: a figure, and its ratio if it has one. */
export interface Row {
  name: string;
  figure: string;
  /** Ratio to the bare chain or to the promised figure; null: none. */
  ratio: number | null;
  wanted: string;
}

/** Returns the rows as an aligned table. */
export function table(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.figure,
    row.ratio === null ? '' : row.ratio.toFixed(2),
    row.wanted,
  ]);
  const all = [['row', 'figure', 'ratio', 'wanted'], ...cells];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...all.map((line) => (line[i] ?? '').length)));
  return all
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns the middle value. */
export function median(values: number[]): number {
  return percentile(values, 50);
}

/** Returns the nearest-rank percentile. */
export function percentile(values: number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}
