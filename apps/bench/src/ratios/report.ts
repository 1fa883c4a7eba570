/** One line of the table: a figure, and its ratio if there is one. */
export interface Row {
  name: string;
  figure: string;
  /** Ratio to the bare chain or to the promised figure. */
  ratio: number | null;
  wanted: string;
}

/** The rows as a table for people. */
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

/** The middle value. */
export function median(values: number[]): number {
  return percentile(values, 50);
}

/** Nearest-rank percentile. */
export function percentile(values: number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}
