import type { ShownSession } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

const SESSIONS = ['sign-in-sessions'];

/** Reads the valid sign-in sessions of people, newest first. */
export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => getJson<{ sessions: ShownSession[] }>('/sessions', signal),
  });
}

/** Ends the session of a person. */
export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, by }: { id: string; by: string }) =>
      postJson<ShownSession>(`/sessions/${encodeURIComponent(id)}/revoke`, { by }),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  });
}
