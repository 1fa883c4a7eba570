import type { Quality } from '@casefile/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** Filters of the page, by the names in its URL. `days`: length of the time up to now. */
export const QUALITY_FILTERS = ['playbook', 'days', 'by'] as const;
export type QualityFilter = Partial<Record<(typeof QUALITY_FILTERS)[number], string>>;

/** Number of days that are shown if the URL states none. */
export const DEFAULT_DAYS = '30';
const DAY_MS = 86_400_000;
const EVERY_MS = 60_000;

/** Reads the figures of the verdicts of the last days. */
export function useQuality({ days = DEFAULT_DAYS, ...filter }: QualityFilter) {
  return useQuery({
    queryKey: ['quality', days, filter],
    queryFn: ({ signal }) => {
      const length = Number(days) > 0 ? Number(days) : Number(DEFAULT_DAYS);
      const from = new Date(Date.now() - length * DAY_MS).toISOString();
      return getJson<Quality>(`/quality?${new URLSearchParams({ ...filter, from }).toString()}`, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}
