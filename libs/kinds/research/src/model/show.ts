import type { Finding, Review } from '@casefile/contracts';
import { markHidden } from '@casefile/pipeline/language/without-disguises';
import { firstCodePoints, inLine, plainText } from '@casefile/pipeline/plain-text';
import type { ResearchRequest } from '../read-input.js';
import { reviewIn, type CitableSource } from '../result.js';

/** Length of all sources in one question, in code points. Each source gets an equal share. */
const ALL_SHOWN = 60_000;
const LEAST_SHOWN = 600;
const DRAFT_SHOWN = 12_000;

/** Returns the sources as shown to models: id, tier, site, day and title on a line, then the text. */
export function shownSources(sources: readonly CitableSource[]): string {
  const most = Math.max(LEAST_SHOWN, Math.floor(ALL_SHOWN / Math.max(1, sources.length)));
  return sources
    .map(({ id, source }) => {
      const { tier, type } = source._reasoning_metadata;
      const day = source.published?.slice(0, 10) ?? '?';
      const head = `[${id}] [Tier ${tier ?? '?'} | ${inLine(type, 40)}] ${inLine(source.site, 100)} ${day} ${inLine(source.name, 200)}`;
      const care = source.warning === null ? '' : `${source.warning}\n`;
      return `${markHidden(head)}\n${care}${markHidden(firstCodePoints(plainText(source.text), most))}`;
    })
    .join('\n\n');
}

/** Returns a draft as models are shown it. */
export const shownDraft = (draft: string): string =>
  markHidden(firstCodePoints(plainText(draft), DRAFT_SHOWN));

/** Returns findings, one per line. */
export function shownFindings(findings: readonly Pick<Finding, 'code' | 'message'>[]): string {
  return findings.map(({ code, message }) => `- ${code}: ${inLine(message, 400)}`).join('\n');
}

/** Returns a review as the other roles are shown it. */
export function shownReview(review: Review): string {
  const { critique, suggestions, modeCompliance, repeated } = reviewIn(review);
  return [
    `${review.ruling}${modeCompliance === null ? '' : ` ${modeCompliance}`}`,
    inLine(critique, 2_000),
    ...suggestions.map((suggestion) => `* ${inLine(suggestion, 400)}`),
    shownFindings(review.findings),
    ...(repeated.length === 0 ? [] : [`(found before and still there: ${repeated.length})`]),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const MODES = {
  zh: {
    strict: 'strict：只採用第 1、2 級來源',
    discovery: 'discovery：採用所有來源，第 3 級以下與來源不明的要註明',
    monitor: 'monitor：並列不同層級來源的說法，其他來源只當背景',
  },
  en: {
    strict: 'strict: reliable tiers alone',
    discovery: 'discovery: every source; tiers 3 to 5 and unknown ones are named as such',
    monitor: 'monitor: tiers are set beside each other, other sources are context',
  },
} as const;

/** Returns a mode in the words of the query's language. */
export const modeInWords = ({ mode, language }: ResearchRequest): string => MODES[language][mode];
