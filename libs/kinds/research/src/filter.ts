import { SOURCE_MODES, type FoundItem, type Source, type SourceMode } from '@casefile/contracts';
import type { ModeRule, ResearchOptions } from './options.js';
import { isOld, noArticle, pageMarks, type NoArticle } from './page-kind.js';
import { shippedTier } from './shipped-sources.js';
import { findTier, UNKNOWN, type TierEntry } from './tiers.js';

/** An excluded source, the reason, and the modes that would have kept it. */
export interface LeftOut {
  url: string;
  name: string;
  site: string;
  tier: number | null;
  why: 'tier' | 'unknown' | 'date' | 'retracted' | NoArticle;
  keptBy: SourceMode[];
}

/** Result of filtering search results. */
export interface FilteredSources {
  kept: Source[];
  leftOut: LeftOut[];
  /** Number of kept sources without a date. */
  undated: number;
}

/** Criteria of the filter. */
export interface FilterBy {
  mode: SourceMode;
  from: string | null;
  to: string | null;
  options: Pick<ResearchOptions, 'sourceTiers' | 'modes'> & Partial<Pick<ResearchOptions, 'shippedSources'>>;
  /** Newest day of all sources, in milliseconds since the epoch. Default: none is known. */
  newest?: number;
  language?: 'zh' | 'en';
  query?: string | null;
}

/** Sources of this tier and higher tiers get a warning. */
const CARE_FROM = 3;
const WARNINGS = {
  zh: {
    low: '⚠ 可信度較低的來源，請與其他來源核對。',
    unknown: '⚠ 來源不明，請與其他來源核對。',
    corrected: '⚠ 這篇文章曾經更正。',
    satire: '⚠ 這是諷刺內容，不是報導。',
    old: '⚠ 比其他來源早兩年以上。',
  },
  en: {
    corrected: '⚠ This article was corrected.',
    satire: '⚠ This is satire, not a report.',
    old: '⚠ More than two years older than the newest source.',
    low: '⚠ A less reliable source: compare it with others.',
    unknown: '⚠ An unknown source: compare it with others.',
  },
} as const;
const OWN_WARNINGS = new Set<string>(Object.values(WARNINGS).flatMap((words) => Object.values(words)));

/** Returns whether a sentence is a warning that this program puts before a source: it states nothing of the source. */
export const isOwnWarning = (sentence: string): boolean => OWN_WARNINGS.has(sentence.trim());

const PREFIX = /^(?:⚠[^\n[]{0,400})?\[Tier [1-5?] \| [^\]\n]{1,60}\] /u;

/**
 * Filters search results by the mode and marks each with its tier. `strict` excludes sources above its
 * highest tier or without a tier; other modes keep all. Sources outside the requested days are always
 * excluded, and so are texts that are no article, and retracted articles. The input is not changed. A source that was filtered before is not marked twice.
 */
export function filterSources(items: readonly FoundItem[], by: FilterBy): FilteredSources {
  const kept: Source[] = [];
  const leftOut: LeftOut[] = [];
  for (const item of items) {
    const entry =
      findTier(item, by.options.sourceTiers) ??
      (by.options.shippedSources === false ? null : shippedTier(item.url));
    const why = whyNot(item, entry, by);
    if (why === null) kept.push(marked(item, entry, by));
    else
      leftOut.push({
        url: item.url,
        name: item.name,
        site: item.site,
        tier: entry?.tier ?? null,
        why,
        keptBy: keptBy(item, entry, by),
      });
  }
  return { kept, leftOut, undated: kept.filter(({ published }) => published === null).length };
}

function whyNot(item: FoundItem, entry: TierEntry | null, by: FilterBy): LeftOut['why'] | null {
  if (isOutside(item.published, by)) return 'date';
  const instead = noArticle(item);
  if (instead !== null) return instead;
  // No conclusion may rest on it, whatever else the page says.
  if (pageMarks(item).includes('retracted')) return 'retracted';
  return takes(by.options.modes[by.mode], entry) ? null : entry === null ? 'unknown' : 'tier';
}

function takes({ maxTier }: ModeRule, entry: TierEntry | null): boolean {
  return maxTier === 5 || (entry !== null && entry.tier <= maxTier);
}

function keptBy(item: FoundItem, entry: TierEntry | null, by: FilterBy): SourceMode[] {
  if (isOutside(item.published, by) || noArticle(item) !== null) return [];
  if (pageMarks(item).includes('retracted')) return [];
  return SOURCE_MODES.filter((mode) => takes(by.options.modes[mode], entry));
}

/** Returns whether a day is known and outside the requested range. The last day counts as a whole. */
export function isOutside(published: string | null, { from, to }: Pick<FilterBy, 'from' | 'to'>): boolean {
  if (published === null) return false;
  const at = Date.parse(published);
  if (Number.isNaN(at)) return false;
  if (from !== null && at < Date.parse(from)) return true;
  const end = to === null ? Infinity : Date.parse(to) + (to.length <= 10 ? 86_400_000 - 1 : 0);
  return at > end;
}

function marked(
  item: FoundItem,
  entry: TierEntry | null,
  { mode, language = 'zh', query = null, newest = Number.NaN }: FilterBy,
): Source {
  const tier = entry?.tier ?? null;
  const type = entry?.type ?? UNKNOWN;
  const words = WARNINGS[language];
  const care = mode === 'discovery' && (tier === null || tier >= CARE_FROM);
  const marks = new Set(pageMarks(item));
  if (type === 'satire') marks.add('satire');
  const warnings = [
    ...[...marks].flatMap((mark) => (mark === 'retracted' ? [] : [words[mark]])),
    ...(isOld(item.published, newest) ? [words.old] : []),
    ...(care ? [tier === null ? words.unknown : words.low] : []),
  ];
  const warning = warnings.length === 0 ? null : warnings.join(' ');
  const plain = item.description.replace(PREFIX, '');
  const description = `${warning ?? ''}[Tier ${tier ?? '?'} | ${type}] ${plain}`;
  return {
    ...item,
    description,
    warning,
    query,
    _reasoning_metadata: { tier, type, original_source: item.site },
  };
}
