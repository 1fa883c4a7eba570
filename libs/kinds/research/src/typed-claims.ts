import type { CheckedClaim, RunSettings } from '@casefile/contracts';
import { checkClaim } from '@casefile/pipeline/claims/index';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { isHearsay } from './check/attribution.js';
import { claimsOfDraft } from './examine.js';
import { draftIn, sourcesIn } from './result.js';

/** Dimensions that the sentences of a report contain. */
const DIMENSIONS = ['subject', 'quantity', 'time', 'state', 'scope', 'modality', 'comparison'] as const;

/** Returns the cited sentences of a draft, compared with the passages that they cite. */
export function typedClaims(input: ReviewInput, settings: RunSettings): CheckedClaim[] {
  if (draftIn(input.draft).kind !== 'draft') return [];
  const sources = sourcesIn(input.evidence).map(({ id, source }) => ({
    id,
    text: source.text,
    at: source.published,
    sort: 'prose' as const,
  }));
  return claimsOfDraft(input, settings).flatMap(
    ({ claim: { id, text }, sentence: { ids, quotes } }): CheckedClaim[] => {
      if (ids.length === 0 || isHearsay(text)) return [];
      const spans = sources.flatMap((source) => {
        const passage = quotes.find((one) => one.id === source.id)?.quote ?? '';
        return passage === '' || !ids.includes(source.id) ? [] : [{ ...source, quote: passage }];
      });
      const others = sources.filter((source) => !ids.includes(source.id));
      return [{ id, text, ...checkClaim(text, spans, { dimensions: DIMENSIONS, others }) }];
    },
  );
}
