import type { DataSourceList, ShownDataSource } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

const KEY = ['sources'];
/** Polling interval in milliseconds, because probes end without an event. */
const EVERY_MS = 5_000;

/** Reads the data sources with the results of their probes, and those that can be added. */
export function useSources() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => getJson<DataSourceList>('/sources', signal),
    refetchInterval: EVERY_MS,
  });
}

/** A data source to add. Empty texts are left out. */
export interface NewSource {
  source: string;
  name: string;
  url: string;
  secret: string;
}

/** Adds a data source and waits for its first probe. */
export function useAddSource() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (fields: NewSource) => {
      const given = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
      const { name } = await postJson<ShownDataSource>('/sources', given);
      return postJson<ShownDataSource>(`/sources/${encodeURIComponent(name)}/test`, {});
    },
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Probes or removes a data source. */
export function useSourceAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, name }: { act: 'test' | 'remove'; name: string }) =>
      postJson<Partial<ShownDataSource>>(`/sources/${encodeURIComponent(name)}/${act}`, {}),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}
