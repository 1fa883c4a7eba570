import {
  CasefileError,
  type AccessKey,
  type CreatedKey,
  type CreateKey,
  type RotateKey,
} from '@casefile/contracts';
import { connectConsole } from '../commands/options.js';

interface ActBody {
  by: string;
  reason: string;
  actId: string;
}

/** Acts on access keys, of a running console or of its database. */
export interface KeyClient {
  list(): Promise<AccessKey[]>;
  create(body: CreateKey): Promise<CreatedKey>;
  rotate(id: string, body: RotateKey): Promise<CreatedKey>;
  revoke(id: string, body: ActBody): Promise<AccessKey>;
}

/** Runs acts on keys, by the console or, with `direct`, on the database of the settings. */
export async function keysOf<T>(
  { console, direct = false }: { console?: string | undefined; direct?: boolean },
  act: (client: KeyClient) => Promise<T>,
): Promise<T> {
  if (direct) return onDatabase(act);
  const client = await connectConsole({ console });
  return act({
    list: async () => (await client.get('/keys', {})).keys,
    create: (body) => client.post('/keys', { body }),
    rotate: (id, body) => client.post('/keys/{id}/rotate', { params: { id }, body }),
    revoke: (id, body) => client.post('/keys/{id}/revoke', { params: { id }, body }),
  });
}

/** The modules that open a database are loaded only here. */
async function onDatabase<T>(act: (client: KeyClient) => Promise<T>): Promise<T> {
  const { connect, createKey, loadConfig, rotateKey } = await import('@casefile/runtime');
  const { quietly } = await import('../quietly.js');
  const { adapters, close } = await connect(quietly(await loadConfig()), []);
  const { store, clock, ids } = adapters;
  const ports = { keys: store.keys, now: () => clock.now() };
  const actIn = ({
    by,
    reason,
    actId = ids.id(),
  }: {
    by: string;
    reason: string;
    actId?: string | undefined;
  }) => ({
    by,
    reason,
    actId,
  });
  try {
    return await act({
      list: () => store.keys.list(),
      create: (body) => createKey(ports, body, actIn(body)),
      rotate: (id, body) => rotateKey(ports, id, body, actIn(body)),
      revoke: async (id, body) => {
        const revoked = await store.keys.revoke(id, body);
        if (revoked === null) throw new CasefileError('not_found', `no key has the id ${id}`);
        return revoked;
      },
    });
  } finally {
    await close();
  }
}
