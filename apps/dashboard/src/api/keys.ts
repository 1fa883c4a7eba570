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

/**
 * Creates a key. `show` gets the key with its secret, even if the page has been left meanwhile. The first key signs
 * its creator in, so everything is read again.
 */
export function useCreateKey(show: (created: CreatedKey) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: KeyRequest) => postJson<CreatedKey>('/keys', request),
    onSuccess: (created) => {
      show(created);
      return client.invalidateQueries();
    },
  });
}

/** Rotates a key, or revokes it. `show` gets the new key of a rotation with its secret. */
export function useKeyAct(show: (created: CreatedKey) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act, by }: { id: string; act: 'rotate' | 'revoke'; by: string }) =>
      postJson<AccessKey & { key?: string }>(`/keys/${encodeURIComponent(id)}/${act}`, { by }),
    onSuccess: ({ key, ...answer }) => {
      if (key !== undefined) show({ ...answer, key });
      return client.invalidateQueries({ queryKey: KEYS });
    },
  });
}
