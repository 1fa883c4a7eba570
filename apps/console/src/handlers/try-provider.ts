import { CasefileError, z, type TriedProvider } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const tryProviderInput = { params: z.object({ provider: z.string().min(1).max(64) }) };

/** Lets one call through to a provider that is not asked, at once. @throws CasefileError `not_found`. */
export const tryProvider: Handler<typeof tryProviderInput, TriedProvider> = async ({ store }, { params }) => {
  const state = await store.providers.tryNow(params.provider);
  if (state !== null) return { provider: state.provider, state: state.state };
  const message = 'no call to a provider of this name has failed: there is nothing to try';
  throw new CasefileError('not_found', message);
};
