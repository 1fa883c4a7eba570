import type {
  DestinationEntry,
  DestinationList,
  OutboundDeliveryList,
  Resent,
  ShownDestination,
} from '@casefile/contracts';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

/** Polling interval in milliseconds, because deliveries change without an event. */
const EVERY_MS = 5_000;

/** Filters of the deliveries, by the parameter names of the API and of the page's URL. */
export const DELIVERY_FILTERS = ['destination', 'state', 'caseId'] as const;
export type DeliveryFilter = Partial<Record<(typeof DELIVERY_FILTERS)[number], string>>;

/** Reads the destinations of the configuration with their state. */
export function useDestinations() {
  return useQuery({
    queryKey: ['destinations'],
    queryFn: ({ signal }) => getJson<DestinationList>('/destinations', signal),
    refetchInterval: EVERY_MS,
  });
}

/** Reads deliveries with their attempts, newest first. */
export function useDeliveries(filter: DeliveryFilter) {
  return useInfiniteQuery({
    queryKey: ['deliveries', filter],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams(filter);
      if (pageParam !== null) search.set('cursor', pageParam);
      return getJson<OutboundDeliveryList>(`/deliveries?${search.toString()}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}

/** An act on a destination, or on one delivery. */
export type DestinationAct =
  { act: 'test' | 'pause' | 'resume' | 'remove'; name: string } | { act: 'resend'; deliveryId: string };

/** A destination to add or change, and whether a test follows. */
export interface SavedDestination {
  isNew: boolean;
  isTested: boolean;
  name: string;
  reason: string;
  entry: DestinationEntry;
}

/** Adds or changes a destination, then sends a test if one is wanted. */
export function useSaveDestination() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ isNew, isTested, name, reason, entry }: SavedDestination) => {
      const act = { destination: entry, ...(reason === '' ? {} : { reason }) };
      const path = `/destinations/${encodeURIComponent(name)}`;
      const saved = await (isNew
        ? postJson<ShownDestination>('/destinations', { ...act, name })
        : postJson<ShownDestination>(path, act));
      if (isTested) await postJson<ShownDestination>(`${path}/test`, {});
      return saved;
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['destinations'] });
      void client.invalidateQueries({ queryKey: ['deliveries'] });
    },
  });
}

/** Runs the act and reads both lists again. */
export function useDestinationAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: DestinationAct): Promise<Resent | ShownDestination> =>
      act.act === 'resend'
        ? postJson<Resent>(`/deliveries/${encodeURIComponent(act.deliveryId)}/resend`, {})
        : postJson<ShownDestination>(`/destinations/${encodeURIComponent(act.name)}/${act.act}`, {}),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['destinations'] });
      void client.invalidateQueries({ queryKey: ['deliveries'] });
      void client.invalidateQueries({ queryKey: ['conditions'] });
    },
  });
}
