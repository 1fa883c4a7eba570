import type { BoundedRunner } from '@casefile/contracts';
import { isAllowedHost } from '../fetch/addresses.js';
import { createGuardedRead } from '../fetch/guarded-fetch.js';
import { repositoryReader } from './git/read-repository.js';
import type { PageReader } from './page-reader.js';

/** Of a page: five times the longest runbook in three-byte letters is still refused by its reader. */
const MAX_PAGE_BYTES = 1_000_000;

/**
 * @param allowedHosts The patterns of `isAllowedHost`: where alerts, and redirects, may lead.
 * @param runner Unpacks what a Git server sends.
 */
export function createPageReader(allowedHosts: readonly string[], runner: BoundedRunner): PageReader {
  const options = { allowedHosts, maxBytes: MAX_PAGE_BYTES };
  return {
    mayRead: (address) =>
      address.username === '' && address.password === '' && isAllowedHost(address, allowedHosts),
    pageOfAlert: async (address, context) => {
      const read = createGuardedRead({ baseUrl: address.origin, untrusted: true, ...options });
      return (await read({ path: pathOf(address) }, context)).bytes;
    },
    page: async (address, token, context) => {
      const read = createGuardedRead({ baseUrl: address.origin, ...options });
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      return (await read({ path: pathOf(address), headers }, context)).bytes;
    },
    repository: repositoryReader(runner),
  };
}

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;
