import { getDomain } from 'tldts';

/**
 * Returns the registrable domain of a host in lower case, or the host if it has none. Each subdomain of a service where
 * anybody gets one (the private section of the public suffix list) is a domain of its own.
 */
export function registrable(host: string): string {
  return (getDomain(host, { allowPrivateDomains: true }) ?? host).toLowerCase();
}

/** Returns the registrable domain of an e-mail address in lower case; '' for a missing address. */
export function domainOf(address: string | null | undefined): string {
  return registrable(hostOf(address ?? ''));
}

/** Returns the host of an e-mail address. */
export function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
