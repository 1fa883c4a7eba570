import type { TierEntry } from './tiers.js';
import data from './source-tiers.json' with { type: 'json' };

interface Group {
  language: string;
  tier: number;
  type: string;
  /** Reason for the tier, for people who check the list. */
  why: string;
  /** Hosts by the name of the source. Hosts below them count too. */
  sources: Readonly<Record<string, readonly string[]>>;
}
interface Endings {
  tier: number;
  type: string;
  why: string;
  endings: readonly string[];
}

/** Sources of many languages and regions, with the reason for each tier. `any` is no single language. */
export const SOURCE_GROUPS = data.groups as unknown as readonly Group[];
/** Endings of hosts that only official bodies can register. */
export const OFFICIAL_ENDINGS = data.endings as readonly Endings[];

const BY_HOST = new Map<string, TierEntry>(
  SOURCE_GROUPS.flatMap(({ tier, type, sources }) =>
    Object.entries(sources).flatMap(([name, hosts]) =>
      hosts.map((host) => [host, { name, tier, type, domains: [...hosts] }] as const),
    ),
  ),
);
const BY_ENDING = new Map<string, TierEntry>(
  OFFICIAL_ENDINGS.flatMap(({ tier, type, endings }) =>
    endings.map((ending) => [ending, { name: `.${ending}`, tier, type, domains: [] }] as const),
  ),
);
/** Labels of the longest host that is looked up. */
const MOST_LABELS = 20;

/**
 * Returns the shipped tier of a URL by its host, then by an official ending; null: it has none. The name that a result
 * gives to its source does not count, because anybody can use the name of a news agency.
 */
export function shippedTier(url: string): TierEntry | null {
  const labels = hostOf(url).split('.').slice(-MOST_LABELS);
  const suffixes = labels.map((_, i) => labels.slice(i).join('.'));
  for (const suffix of suffixes) {
    const entry = BY_HOST.get(suffix);
    if (entry !== undefined) return entry;
  }
  // The ending itself is no source.
  for (const suffix of suffixes.slice(1)) {
    const entry = BY_ENDING.get(suffix);
    if (entry !== undefined) return entry;
  }
  return null;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : '';
}
