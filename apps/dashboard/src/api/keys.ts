import type { AccessKey, CreatedKey } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

const KEYS = ['access-keys'];

/** Reads the access keys, without their secrets. */
export function useKeys() {
  return useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => getJson<{ keys: AccessKey[] }>('/keys', signal),
  });
}

/** A new key of a person or a program. */
export interface KeyRequest {
  name: string;
  role?: string;
  scopes?: string[];
  expiresAt?: string;
  by: string;
}

/** Creates a key. The answer has its secret. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: KeyRequest) => postJson<CreatedKey>('/keys', request),
    onSuccess: () => client.invalidateQueries({ queryKey: KEYS }),
  });
}

/** Rotates a key, for an answer with the new secret, or revokes it. */
export function useKeyAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act, by }: { id: string; act: 'rotate' | 'revoke'; by: string }) =>
      postJson<AccessKey & { key?: string }>(`/keys/${encodeURIComponent(id)}/${act}`, { by }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEYS }),
  });
}
