import type { Logger } from '@casefile/contracts';
import type { Platform } from '../compose/platform.js';
import { AccessGuard, type Authenticator, type StateOutage } from './access-guard.js';
import { openWithoutKeys, refuseOpenNetwork } from './access-mode.js';
import { AttemptLimit } from './attempt-limit.js';
import { checkedCallers } from './checked-callers.js';
import { AccessTable, type AccessEntry } from './access-table.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { SHARED_ENTRIES } from './shared-entries.js';

/** Parts of a platform that decide who may use its services. */
export type GuardedPlatform = Pick<Platform, 'store' | 'clock' | 'config'>;

/** Facts of a service about its callers. */
export interface GuardedService {
  entries: readonly AccessEntry[];
  /** Ways in which callers prove who they are, in addition to keys. */
  authenticators: readonly Authenticator[];
  /** States an outage of the database in refusals. Default: the error of the request is the refusal. */
  outage?: StateOutage;
}

/**
 * Returns the guard of a service. A proof is required once there is a key, or if a sign-in is configured.
 * @throws CasefileError `bad_configuration` if the service would be open on a network that is not trusted.
 */
export async function openGuard(
  { entries, authenticators, outage }: GuardedService,
  platform: GuardedPlatform,
  log: Logger,
): Promise<AccessGuard> {
  const { store, clock, config } = platform;
  const hasNoKeys = openWithoutKeys(store.keys, clock);
  const isOpen = async () => config.settings.access.oidc === undefined && (await hasNoKeys());
  const trustsNetwork = config.env.CASEFILE_TRUST_NETWORK === 'on';
  await refuseOpenNetwork({ host: config.host, trustsNetwork }, isOpen);
  if (trustsNetwork)
    log.warn(
      { requiresKeys: !(await isOpen()) },
      'CASEFILE_TRUST_NETWORK=on: while there is no access key, every client that reaches this service may use it',
    );
  return new AccessGuard({
    table: new AccessTable([...SHARED_ENTRIES, ...entries]),
    authenticators: [
      new KeyAuthenticator({
        keys: store.keys,
        clock,
        log,
        failures: new AttemptLimit(config.settings.access.attemptsPerMinute, clock),
        checked: checkedCallers(platform),
      }),
      ...authenticators,
    ],
    isOpen,
    outage,
    log,
  });
}
