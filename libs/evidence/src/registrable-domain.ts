import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

/**
 * The registrable domain of a host or URL in its ASCII form, null when there is none (an IP address, a single
 * label). A name below a shared host (`shop.github.io`) is a domain of its own: whoever runs it registered it.
 */
export function registrableDomain(hostOrUrl: string): string | null {
  const own = parse(hostOrUrl, { allowPrivateDomains: true });
  if (own.isIp === true) return null;
  const domain = own.domain ?? parse(hostOrUrl).domain;
  if (domain === null) return null;
  const ascii = domainToASCII(domain);
  return ascii === '' ? null : ascii;
}
