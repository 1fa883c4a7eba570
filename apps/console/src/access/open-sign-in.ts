import type { Role, SignedInPerson } from '@casefile/contracts';
import { AttemptLimit, checkedCallers, type Platform, type StateOutage } from '@casefile/runtime';
import type { Router } from 'express';
import { OidcClient } from './oidc-client.js';
import { SessionAuthenticator } from './session-authenticator.js';
import { signInRouter } from './sign-in-router.js';

/** Personal keys, by which people sign in without a provider. */
export interface PersonalKeys {
  /** Returns the person of a key; null: the key is wrong. */
  personOfKey(key: string): Promise<SignedInPerson | null>;
  /** Returns the current role of a key by its id; null: it is revoked or has expired. */
  roleOfKey(id: string): Promise<Role | null>;
}

type PlatformParts = Pick<Platform, 'config' | 'store' | 'clock' | 'log'>;

/** Returns what identifies people by their sessions. @throws CasefileError `bad_configuration`. */
export function sessionAuthenticator(
  { config, store, clock }: Pick<PlatformParts, 'config' | 'store' | 'clock'>,
  { roleOfKey }: PersonalKeys,
): SessionAuthenticator {
  const { sessions } = store;
  const checked = checkedCallers({ store, clock });
  return new SessionAuthenticator({ sessions, settings: config.resolvedOidc(), roleOfKey, checked });
}

/**
 * Returns the routes of the sign-in. The provider is asked at the first sign-in.
 * @throws CasefileError `bad_configuration`.
 */
export function openSignIn(
  { config, store, clock, log }: PlatformParts,
  keys: PersonalKeys,
  { isRequired, outage }: { isRequired: () => Promise<boolean>; outage: StateOutage },
): Router {
  const settings = config.resolvedOidc();
  const { sessions } = store;
  const authenticator = sessionAuthenticator({ config, store, clock }, keys);
  return signInRouter({
    oidc: settings === null ? null : { settings, client: new OidcClient(settings, { clock, log }) },
    sessions,
    checked: checkedCallers({ store, clock }),
    outage,
    currentPerson: (request) => authenticator.person(request),
    personOfKey: keys.personOfKey,
    isRequired,
    attempts: new AttemptLimit(config.settings.access.attemptsPerMinute, clock),
    clock,
    log,
  });
}
