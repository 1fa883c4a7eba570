/** A stated probability, and whether the statement turned out to be true. */
export interface Forecast {
  /** 0 to 1. */
  stated: number;
  observed: 0 | 1;
}

/** All forecasts of one stated probability. */
export interface Cell {
  stated: number;
  labels: number;
  /** Number of true ones. */
  observed: number;
}

/** Returns the forecasts by stated probability, lowest first. */
export function forecastCells(forecasts: readonly Forecast[]): Cell[] {
  const cells = new Map<number, Cell>();
  for (const { stated, observed } of forecasts) {
    const cell = cells.get(stated) ?? { stated, labels: 0, observed: 0 };
    cell.labels += 1;
    cell.observed += observed;
    cells.set(stated, cell);
  }
  return [...cells.values()].sort((a, b) => a.stated - b.stated);
}

/** Neighbouring cells that are counted together. */
export interface Group {
  /** Lowest and highest stated probability. */
  from: number;
  to: number;
  labels: number;
  /** Sum of the stated probabilities in the group. */
  stated: number;
  observed: number;
}

/** Fewest labels of a bin. With fewer, the share of true ones is too uncertain. */
export const LEAST_IN_BIN = 30;
const MOST_BINS = 15;

/**
 * Returns bins of about equal counts: at most 15, with at least 30 labels each if there are enough. Equal
 * stated probabilities are never split, because models repeat a few round numbers. This may give fewer bins.
 */
export function equalCountBins(cells: readonly Cell[]): Group[] {
  const all = cells.reduce((total, { labels }) => total + labels, 0);
  const enough = all / Math.max(1, Math.min(MOST_BINS, Math.floor(all / LEAST_IN_BIN)));
  const bins: Group[] = [];
  for (const { stated, labels, observed } of cells) {
    const own = { from: stated, to: stated, labels, stated: stated * labels, observed };
    const last = bins.at(-1);
    if (last === undefined || last.labels >= enough) bins.push(own);
    else bins.splice(-1, 1, joinGroups(last, own));
  }
  const [before, rest] = bins.slice(-2);
  if (before !== undefined && rest !== undefined && rest.labels < LEAST_IN_BIN)
    bins.splice(-2, 2, joinGroups(before, rest));
  return bins;
}

/** Returns two neighbouring groups as one. */
export function joinGroups(lower: Group, upper: Group): Group {
  return {
    from: lower.from,
    to: upper.to,
    labels: lower.labels + upper.labels,
    stated: lower.stated + upper.stated,
    observed: lower.observed + upper.observed,
  };
}
