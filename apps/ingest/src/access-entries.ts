import type { Right } from '@casefile/contracts';
import {
  askedPaths,
  configFormats,
  configSecrets,
  CUSTOM_WEBHOOKS,
  type AccessEntry,
  type Platform,
} from '@casefile/runtime';

const INTAKE: Right = { role: 'operator', scope: 'intake' };

/**
 * Returns the paths of ingest with the right that each requires. A webhook with a secret is open, because its
 * handler verifies the signature of each post.
 */
export function intakeEntries(config: Platform['config']): AccessEntry[] {
  const secrets = configSecrets(config);
  const webhooks = configFormats(config).map(({ name, path }): AccessEntry => {
    const isSigned = secrets.has(name);
    const about = isSigned ? `posts of ${name}, signed` : `posts of ${name}`;
    return { method: 'post', path, right: isSigned ? 'open' : INTAKE, about };
  });
  return [
    { method: 'post', path: '/v1/alerts', right: INTAKE, about: 'alerts' },
    ...webhooks,
    { method: 'post', path: `${CUSTOM_WEBHOOKS}/{name}`, right: INTAKE, about: 'webhooks of the settings' },
    ...askedPaths(config.playbooks).map((path): AccessEntry => {
      return { method: 'post', path, right: INTAKE, about: 'an alert, answered with its verdict' };
    }),
    {
      method: 'post',
      path: '/v1/feedback',
      right: { role: 'reviewer', scope: 'feedback' },
      about: 'what other systems found out',
    },
    { method: 'get', path: '/openapi.json', right: 'open', about: 'API document' },
  ];
}
