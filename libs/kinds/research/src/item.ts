import { firstCharacters, type JsonObject, type ReportItem, type SourceMode } from '@casefile/contracts';
import { plainText } from '@casefile/pipeline/plain-text';
import type { ResearchRequest } from './read-input.js';
import { WORDS } from './words.js';

export const SITE = 'Deep Research Module';
export const SITE_URL = 'https://deep-research.internal';
const QUERY_SHOWN = 50;

/** Inputs of a score. */
export interface ScoreInput {
  /** null: no critic has ruled. */
  ruling: 'PASS' | 'WARN' | 'REJECT' | null;
  /** Supported share of the sentences that need a source, 0..1. */
  share: number;
  /** The best tier that is cited; null: none is, or only unknown sources are. */
  bestTier: number | null;
  converged: boolean;
  /** Whether the report is only an extract of the sources, without a conclusion. Default: false. */
  isExtract?: boolean;
}

const RULING = { PASS: 40, WARN: 25, REJECT: 5 } as const;
const TIER = [10, 8, 5, 4, 2] as const;
const MOST_OF_EXTRACT = 40;

/**
 * Returns the score of a report, 0 to 100, as a sum. Ruling: 40 (PASS), 25 (WARN, or no critic ruled) or 5
 * (REJECT). Support: 40 times the share of supported sentences. Best cited tier: 10, 8, 5, 4 or 2, and 0 for
 * unknown sources. Convergence of the rounds: 10. An extract has at most 40, because it answers no question.
 */
export function itemScore({ ruling, share, bestTier, converged, isExtract = false }: ScoreInput): number {
  const tier = bestTier === null ? 0 : (TIER[bestTier - 1] ?? 0);
  const sum = RULING[ruling ?? 'WARN'] + 40 * Math.min(1, Math.max(0, share)) + tier + (converged ? 10 : 0);
  return Math.round(Math.min(isExtract ? MOST_OF_EXTRACT : 100, sum));
}

/** Returns the URL of a report: mode, the first 50 characters of the query, and the case in the fragment. */
export function reportUrl(mode: SourceMode, query: string, caseId: string): string {
  const head = firstCharacters(plainText(query), QUERY_SHOWN);
  return `${SITE_URL}/${mode}/${encodeURIComponent(head)}${caseId === '' ? '' : `#${caseId}`}`;
}

/** Returns the item with the report or the error, named in the language of the question. */
export function reportItem(
  { query, mode, language }: Pick<ResearchRequest, 'query' | 'mode' | 'language'>,
  caseId: string,
  { score, description, about }: { score: number; description: string; about?: JsonObject },
): ReportItem {
  return {
    '@type': 'Item',
    url: reportUrl(mode, query, caseId),
    name: WORDS[language].itemName(plainText(query)),
    site: SITE,
    siteUrl: SITE_URL,
    score,
    description,
    ...(about === undefined ? {} : { schema_object: { '@type': 'ResearchReport', ...about } }),
  };
}
