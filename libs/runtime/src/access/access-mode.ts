import { CasefileError, type AccessKeys, type Clock } from '@casefile/contracts';

/**
 * Maximum age of the knowledge that there is no key, in milliseconds. While the database is away, it is used for
 * longer.
 */
const LOOK_EVERY_MS = 2_000;

/**
 * Returns a function that returns whether an installation requires no proof: it never had a key. Keys are never
 * deleted, so an installation that requires keys does not become open again. Concurrent requests share a query.
 */
export function openWithoutKeys(keys: Pick<AccessKeys, 'any'>, clock: Clock): () => Promise<boolean> {
  let hasKeys = false;
  let lookedAt: number | null = null;
  let query: { startedAt: number; any: Promise<boolean> } | null = null;
  const anyAt = (now: number): Promise<boolean> => {
    if (query !== null && now - query.startedAt < LOOK_EVERY_MS) return query.any;
    const started = { startedAt: now, any: keys.any() };
    query = started;
    const end = (): void => void (query === started && (query = null));
    started.any.then(end, end);
    return started.any;
  };
  return async () => {
    if (hasKeys) return false;
    const now = clock.now();
    if (lookedAt !== null && now - lookedAt < LOOK_EVERY_MS) return true;
    try {
      // Of two queries at the same time, the later answer may be the older one.
      if (await anyAt(now)) hasKeys = true;
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
