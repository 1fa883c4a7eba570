import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What the test issuer has stored, by model and id. */
export class IssuerMemory {
  private readonly entries = new Map<string, AdapterPayload>();

  /** Makes every code that was issued invalid by its age. */
  expireCodes(): void {
    for (const [key, payload] of this.entries)
      if (key.startsWith('AuthorizationCode:')) payload.exp = 1_700_000_000;
  }

  /** Returns the store of one model. */
  adapter(model: string): Adapter {
    const { entries } = this;
    const at = (id: string) => `${model}:${id}`;
    return {
      upsert: async (id, payload) => void entries.set(at(id), payload),
      find: async (id) => entries.get(at(id)),
      findByUserCode: async () => undefined,
      findByUid: async (uid) =>
        [...entries].find(([key, payload]) => key.startsWith(`${model}:`) && payload.uid === uid)?.[1],
      consume: async (id) => void Object.assign(entries.get(at(id)) ?? {}, { consumed: 1_700_000_000 }),
      destroy: async (id) => void entries.delete(at(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of entries) if (payload.grantId === grantId) entries.delete(key);
      },
    };
  }
}
