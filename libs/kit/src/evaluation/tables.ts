import type { Interval } from './figures.js';

export type Row = (string | number)[];

/** Returns a plain-text table below a blank line and its title; empty if there are no rows. */
export function table(title: string, head: string[], rows: Row[]): string[] {
  if (rows.length === 0) return [];
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return ['', ...(title === '' ? [] : [title.trimEnd()]), ...lines];
}

export function rate(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}

/** `0.67 (20 of 30; 0.49 to 0.81)`: a share, its counts, and its 95 % interval. */
export function intervalRate({ part, of, share, from, to }: Interval): string {
  if (share === null || from === null || to === null) return '-';
  return `${share.toFixed(2)} (${part} of ${of}; ${from.toFixed(2)} to ${to.toFixed(2)})`;
}

export function few(tooFew: boolean): string {
  return tooFew ? 'too few labels' : '';
}

export function ms(value: number | null): string {
  return value === null ? '-' : `${Math.round(value)} ms`;
}

/** Returns the cost of calls, some of which may have no known price. */
export function dollars(usd: number, calls: number, unpriced: number): string {
  if (calls > 0 && unpriced === calls) return 'cost not known: no call has a known price';
  return `${usd.toFixed(4)} US dollars${unpriced === 0 ? '' : `, ${unpriced} calls without a known price`}`;
}

/** Returns the cost of one item; null: a price is not known. */
export function dollarsEach(usd: number | null): string {
  return usd === null ? 'a cost that is not known' : `${usd.toFixed(4)} US dollars`;
}
