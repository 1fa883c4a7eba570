import { CasefileError, type AccessKeys, type Clock } from '@casefile/contracts';

/**
 * Maximum age of the knowledge that there is no key, in milliseconds. While the database is away, it is used for
 * longer.
 */
const LOOK_EVERY_MS = 2_000;

/**
 * Returns a function that tells whether an installation requires no proof: it never had a key. Keys are never
 * deleted, so an installation that requires keys does not become open again.
 */
export function openWithoutKeys(keys: Pick<AccessKeys, 'any'>, clock: Clock): () => Promise<boolean> {
  let hasKeys = false;
  let lookedAt: number | null = null;
  return async () => {
    if (hasKeys) return false;
    const now = clock.now();
    if (lookedAt !== null && now - lookedAt < LOOK_EVERY_MS) return true;
    try {
      // Of two queries at the same time, the later answer may be the older one.
      if (await keys.any()) hasKeys = true;
      lookedAt = now;
    } catch (error) {
      // Without its database a service has nothing to show but its metrics.
      if (lookedAt === null) throw error;
    }
    return !hasKeys;
  };
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** Command that creates the first key. */
export const FIRST_KEY = 'casefile keys create NAME --role admin --direct';

/**
 * Refuses to listen on a network while everybody could use the service.
 * @throws CasefileError `bad_configuration` that names the command for the first key.
 */
export async function refuseOpenNetwork(
  { host, trustsNetwork }: { host: string; trustsNetwork: boolean },
  isOpen: () => Promise<boolean>,
): Promise<void> {
  if (LOOPBACK.includes(host) || trustsNetwork || !(await isOpen())) return;
  throw new CasefileError(
    'bad_configuration',
    `HOST is ${host}, and there is no access key. Create the first one: ${FIRST_KEY}. Or set CASEFILE_TRUST_NETWORK=on if only trusted clients can reach this network.`,
  );
}
