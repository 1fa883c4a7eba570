import { causeClaimId, FALSE_ALARM_CLAIM, type Review, type RunSettings } from '@casefile/contracts';
import type { Examination } from '@casefile/pipeline/parts/cross-examining';
import type { Claim } from '@casefile/pipeline/parts/examined-matter';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { conclusionOf } from './decide.js';
import { lookUpHead } from './model/show.js';
import { crossExamination } from './model/prompts.js';
import { options } from './options.js';
import { readsOf, resultIn } from './read-result.js';

/** Cross-examination of an incident: its causes and a false alarm are checked against all look-ups. */
export const examination: Examination = {
  limits: (settings) => {
    const { crossExamine, callTimeoutMs, plantedClaims } = options.read(settings.options);
    return { crossExamine, timeoutMs: callTimeoutMs, plantedClaims };
  },
  matter(input, review, settings) {
    const claims = restsOnClaims({ ...input, review }, settings) ? reviewClaims(input, review) : [];
    if (claims.length === 0) return null;
    const sources = readsOf(input.evidence, input.draft)
      .filter(({ gap }) => gap === null)
      .map((read) => ({
        id: read.id,
        title: `${lookUpHead(read)} at ${read.at}`,
        text: read.text,
        isLines: true,
      }));
    return { prompt: crossExamination, about: input.brief.text, claims, sources, asClaim: causeClaim };
  },
};

/**
 * Returns whether the verdict would page a person, or would close an alert above severity info by a model's
 * claim.
 */
function restsOnClaims(unit: Parameters<typeof conclusionOf>[0], settings: RunSettings): boolean {
  if (unit.draft.method === 'heuristic') return false;
  const { action, by, result } = conclusionOf(unit, settings);
  return action === 'page' || (by === 'false-alarm' && result.severity !== 'info');
}

const causeClaim = (cause: string): string => `A cause of the alert is: ${cause}`;

/** The claims that the program did not contradict. */
function reviewClaims({ draft }: Pick<ReviewInput, 'draft'>, { claims: compared = [] }: Review): Claim[] {
  const { name, hypotheses, falseAlarm } = resultIn(draft);
  const causes = hypotheses.map(({ cause, citations }, place) => ({
    id: causeClaimId(place),
    text: causeClaim(cause),
    sources: citationIds(citations),
  }));
  const isContradicted = (id: string) =>
    compared.some((one) => one.id === id && one.result === 'contradicted');
  const open = causes.filter(({ id }) => !isContradicted(id));
  if (falseAlarm === null || isContradicted(FALSE_ALARM_CLAIM)) return open;
  const text = `“${name}” is a false alarm: what it reports is not so, or no longer, and nothing is wrong.`;
  return [...open, { id: FALSE_ALARM_CLAIM, text, sources: citationIds(falseAlarm) }];
}

const citationIds = (citations: readonly { id: string }[]): string[] => [
  ...new Set(citations.map(({ id }) => id)),
];
