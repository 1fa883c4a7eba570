import type { Series } from '@casefile/contracts';
import type { Line } from './line-chart.js';

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Maximum number of lines that colours can distinguish in a chart. */
const MOST_LINES = 4;

/** Lines of a chart with one value for each step of the range. */
export interface SeriesLines {
  /** Seconds since 1970. */
  at: number[];
  lines: Line[];
}

/**
 * Returns the series as lines. Beyond four groups, the smallest ones are added to one line, `others`.
 * @param empty value of a step without data: 0 for counts and sums, null for times
 */
export function seriesLines({ step, from, to, series }: Series, empty: 0 | null): SeriesLines {
  const at: number[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += STEP_MS[step]) at.push(ms / 1_000);
  const sums = series.map(({ group, points }) => ({
    name: group ?? 'all',
    sum: points.reduce((sum, { value }) => sum + value, 0),
    byTime: new Map(points.map(({ at: time, value }) => [Date.parse(time) / 1_000, value])),
  }));
  const sorted = sums.sort((a, b) => b.sum - a.sum);
  const largest = sorted.length <= MOST_LINES ? sorted : sorted.slice(0, MOST_LINES - 1);
  const rest = sorted.slice(largest.length);
  const lines = largest.map(({ name, byTime }) => ({
    name,
    values: at.map((time) => byTime.get(time) ?? empty),
  }));
  if (rest.length === 0) return { at, lines };
  const added = (time: number) => rest.reduce((sum, { byTime }) => sum + (byTime.get(time) ?? 0), 0);
  return { at, lines: [...lines, { name: `${rest.length} others`, values: at.map(added) }] };
}
