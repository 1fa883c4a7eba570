import { z } from '@casefile/contracts';
import type { GuardedFetch, RequestContext } from '../fetch/guarded-fetch.js';
import { badAnswer } from '../fetch/read-json.js';

/** RFC 9083: a domain object with its events. */
const domainAnswer = z.object({
  objectClassName: z.literal('domain'),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string() })).default([]),
});

/**
 * Registries' own servers a bootstrap server (rdap.org) sends us to, for the zones most alerts name.
 * In place of this list: the setting `allowedHosts`.
 */
export const RDAP_HOSTS = [
  'rdap.org',
  '*.rdap.org',
  'rdap.verisign.com',
  'rdap.publicinterestregistry.org',
  'rdap.identitydigital.services',
  'rdap.centralnic.com',
  'rdap.nic.google',
  'pubapi.registry.google',
  'rdap.nixiregistry.in',
  'rdap.nominet.uk',
  'rdap.denic.de',
  'rdap.nic.fr',
  'rdap.registry.in',
  'rdap.nic.xyz',
  'rdap.nic.top',
  'rdap.nic.online',
  'rdap.nic.site',
  'rdap.nic.shop',
];

/**
 * When a domain was registered, milliseconds since the epoch; null: the registry has no such domain or does not say.
 * @throws CasefileError as `createGuardedFetch` does.
 */
export async function askRdap(
  guardedFetch: GuardedFetch,
  domain: string,
  context: RequestContext,
): Promise<number | null> {
  const path = `/domain/${encodeURIComponent(domain)}`;
  const answer = await guardedFetch({ path, answers: [404] }, context);
  if (answer.status === 404) return null;
  const parsed = domainAnswer.safeParse(answer.body);
  if (!parsed.success) throw badAnswer(answer.host, 'JSON of another shape than documented', parsed.error);
  const registered = parsed.data.events.find((event) => event.eventAction === 'registration');
  const at = Date.parse(registered?.eventDate ?? '');
  return Number.isNaN(at) ? null : at;
}
