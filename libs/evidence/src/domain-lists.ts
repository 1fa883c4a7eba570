import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CasefileError } from '@casefile/contracts';
import type { EvidenceSettings } from './settings.js';

export type Listing = 'block' | 'allow';

export interface DomainLists {
  /** The list a registrable domain, or the public end it stands below, is on; the block list is asked first. */
  listingOf(domain: string): Listing | null;
}

// The same distance from src and from dist.
const DATA = new URL('../data/', import.meta.url);

/** Reads the lists. @throws CasefileError `bad_configuration` when a file cannot be read. */
export function readDomainLists(settings: Pick<EvidenceSettings, 'domainLists'>): DomainLists {
  const own = settings.domainLists ?? {};
  const block = readList(own.blockFile ?? shipped('domain-blocklist.txt'));
  const allow = readList(own.allowFile ?? shipped('domain-allowlist.txt'));
  return {
    listingOf: (domain) => {
      // An end such as gov.in stands for all names below it.
      const end = domain.slice(domain.indexOf('.') + 1);
      if (block.has(domain) || block.has(end)) return 'block';
      return allow.has(domain) || allow.has(end) ? 'allow' : null;
    },
  };
}

function shipped(name: string): string {
  return fileURLToPath(new URL(name, DATA));
}

function readList(path: string): Set<string> {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return new Set(
      lines.map((line) => line.replace(/#.*/, '').trim().toLowerCase()).filter((line) => line !== ''),
    );
  } catch (error) {
    throw new CasefileError('bad_configuration', `The domain list ${path} cannot be read`, { cause: error });
  }
}
