import type { ShownSilence, SilenceList, SilenceMatcher } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

/** Polling interval in milliseconds, because silences end without an event. */
const EVERY_MS = 10_000;

/** Reads the silences, those in force first. */
export function useSilences() {
  return useQuery({
    queryKey: ['silences'],
    queryFn: ({ signal }) => getJson<SilenceList>('/silences', signal),
    refetchInterval: EVERY_MS,
  });
}

/** A silence to create. */
export interface NewSilence {
  matchers: readonly SilenceMatcher[];
  startsAt?: string;
  endsAt: string;
  reason: string;
}

/** An act on silences. */
export type SilenceAct = { act: 'create'; silence: NewSilence } | { act: 'end'; id: string };

/** Creates or ends a silence, and reads the list again. */
export function useSilenceAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: SilenceAct): Promise<ShownSilence> =>
      act.act === 'create'
        ? postJson<ShownSilence>('/silences', act.silence)
        : postJson<ShownSilence>(`/silences/${encodeURIComponent(act.id)}/end`, {}),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['silences'] });
      void client.invalidateQueries({ queryKey: ['conditions'] });
    },
  });
}
