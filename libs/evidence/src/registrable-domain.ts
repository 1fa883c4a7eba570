import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

/**
 * Returns the registrable domain of a host or URL in its ASCII form, or null if there is none (an IP address,
 * a single label). A name below a shared host (`shop.github.io`) is a separate domain, because its owner
 * registered it.
 */
export function registrableDomain(hostOrUrl: string): string | null {
  const own = parse(hostOrUrl, { allowPrivateDomains: true });
  if (own.isIp === true) return null;
  const domain = own.domain ?? parse(hostOrUrl).domain;
  if (domain === null) return null;
  const ascii = domainToASCII(domain);
  return ascii === '' ? null : ascii;
}
