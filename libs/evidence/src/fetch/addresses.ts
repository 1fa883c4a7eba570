import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { CasefileError } from '@casefile/contracts';
import ipaddr from 'ipaddr.js';

/**
 * Returns whether this URL's host is on the list. `host` matches the default port of the URL's scheme,
 * `host:port` only that port, `*.domain` every name below the domain (not the domain itself).
 */
export function isAllowedHost(url: URL, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => {
    const [host = '', port = ''] = splitPort(pattern.toLowerCase());
    if (port !== url.port) return false;
    if (host.startsWith('*.')) return url.hostname.endsWith(host.slice(1)) && url.hostname !== host.slice(2);
    return url.hostname === host;
  });
}

function splitPort(pattern: string): string[] {
  const match = /^(.*?)(?::(\d+))?$/.exec(pattern);
  return match ? [match[1] ?? '', match[2] ?? ''] : [pattern];
}

/**
 * Returns whether this is an address of the public Internet. Loopback, private, link-local (cloud metadata),
 * carrier-grade NAT, multicast and reserved ranges are not. An IPv4 address inside an IPv6 address is judged
 * as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'unicast';
}

/**
 * Returns whether the host of a URL is an IP address. Such a host is never resolved, so it is checked
 * separately.
 */
export function isAddress(hostname: string): boolean {
  return ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''));
}

export function addressRefused(hostname: string): CasefileError {
  return new CasefileError('address_refused', `${hostname} leads to an address that is not public`, {
    details: { hostname },
  });
}

/**
 * DNS lookup for sockets that refuses a name if any of its addresses is not public. It runs when the
 * connection is made, so a name that resolves differently the second time (DNS rebinding) has no effect.
 */
export function publicLookup(lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, resolved) => {
      if (error) return callback(error, []);
      const addresses = asList(resolved);
      const first = addresses[0];
      if (first === undefined || !addresses.every((each) => isPublicAddress(each.address))) {
        return callback(addressRefused(hostname), []);
      }
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

function asList(addresses: string | LookupAddress[]): LookupAddress[] {
  if (typeof addresses !== 'string') return addresses;
  return [{ address: addresses, family: addresses.includes(':') ? 6 : 4 }];
}
