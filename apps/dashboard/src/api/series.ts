import type { Series, SeriesGrouping, SeriesMetric } from '@casefile/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** Ranges that pages offer, by their name in the URL: `[name, text]`. */
export const RANGES = [
  ['1h', 'last hour'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
  ['30d', 'last 30 days'],
  ['90d', 'last 90 days'],
] as const;
export const DEFAULT_RANGE = '24h';

const HOUR_MS = 3_600_000;
const LENGTH_MS: Record<string, number> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};
const EVERY_MS = 60_000;

/** Reads a metric over a range up to now. */
export function useSeries(metric: SeriesMetric, range: string, by?: SeriesGrouping) {
  return useQuery({
    queryKey: ['series', metric, range, by],
    queryFn: ({ signal }) => {
      const length = LENGTH_MS[range] ?? 24 * HOUR_MS;
      const from = new Date(Date.now() - length).toISOString();
      const query = new URLSearchParams({ metric, from, ...(by === undefined ? {} : { by }) });
      return getJson<Series>(`/series?${query.toString()}`, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}
