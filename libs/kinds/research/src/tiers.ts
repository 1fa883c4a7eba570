import { getDomain } from 'tldts';
import { z } from '@casefile/contracts';
import { eastAsianQuestion } from './question-language.js';

/** A source with its tier, from 1 (most reliable) to 5. */
export const tierEntrySchema = z.strictObject({
  name: z.string().min(1).max(200),
  tier: z.number({ error: 'expected a tier, 1 to 5' }).int().min(1).max(5),
  type: z.string().min(1).max(40),
  /** Registrable domains that identify the source if its name is unknown. */
  domains: z.array(z.string().min(1).max(253)).default([]),
});
export type TierEntry = z.infer<typeof tierEntrySchema>;

/** Label of a source without a tier. */
export const UNKNOWN = 'unknown';

const entry = (name: string, tier: number, type: string, ...domains: string[]): TierEntry => ({
  name,
  tier,
  type,
  domains,
});

/** The default tiers. Tier 4 is empty. */
export const SHIPPED_TIERS: readonly TierEntry[] = [
  entry('中央社', 1, 'official', 'cna.com.tw'),
  entry('公視', 1, 'official', 'pts.org.tw'),
  entry('行政院', 1, 'government', 'ey.gov.tw'),
  entry('聯合報', 2, 'news', 'udn.com'),
  entry('經濟日報', 2, 'news'),
  entry('自由時報', 2, 'news', 'ltn.com.tw'),
  entry('報導者', 3, 'digital', 'twreporter.org'),
  entry('關鍵評論網', 3, 'digital', 'thenewslens.com'),
  entry('PTT', 5, 'social', 'ptt.cc'),
  entry('Dcard', 5, 'social', 'dcard.tw'),
];

/**
 * Returns the form in which names of sources are compared: width, case, blanks and 台 or 臺 make no difference.
 */
export function sourceName(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/gu, ' ').replaceAll('臺', '台').toLowerCase();
}

/** Returns names that occur more than once among the tiers, as they are written. */
export function namedTwice(tiers: readonly TierEntry[]): string[] {
  const names = tiers.map(({ name }) => sourceName(name));
  return tiers.filter((_, i) => names.indexOf(names[i]!) !== i).map(({ name }) => name);
}

/** Returns the tiers for a question: those of its language if there are any, else the general tiers. */
export function tiersFor(
  query: string,
  { sourceTiers, sourceTiersByLanguage }: TierLists,
): readonly TierEntry[] {
  return sourceTiersByLanguage[eastAsianQuestion(query) ?? 'en'] ?? sourceTiers;
}

/** General tiers, and tiers for some languages. */
interface TierLists {
  sourceTiers: readonly TierEntry[];
  sourceTiersByLanguage: Readonly<Record<string, readonly TierEntry[]>>;
}

/** Languages that can have separate tiers, by script. `en` stands for all others. */
export const TIER_LANGUAGES = ['zh', 'ja', 'ko', 'en'] as const;

/**
 * Returns the tier of a source by its name, then by the registrable domain of its name or URL; null: no tier.
 */
export function findTier(
  { site, url }: { site: string; url: string },
  tiers: readonly TierEntry[],
): TierEntry | null {
  const name = sourceName(site);
  const byName = tiers.find((one) => sourceName(one.name) === name);
  if (byName !== undefined) return byName;
  const domains = [addressDomain(site), addressDomain(url)].filter((domain) => domain !== null);
  return tiers.find((one) => one.domains.some((domain) => domains.includes(domain.toLowerCase()))) ?? null;
}

/** Returns the registrable domain of an address or host; null: it has none. */
export function addressDomain(address: string): string | null {
  return getDomain(address.trim().slice(0, 2_048).toLowerCase(), { allowPrivateDomains: true });
}
