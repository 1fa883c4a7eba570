import type { Brief, Draft, Evidence, Review, RunSettings } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { engageProbeIgnore } from '../decide.js';
import {
  aBrief,
  aDraft,
  anExaminedReview,
  evidenceOf,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';

/** Fields of an answer that the decision table reads; `flags`: their number, or their names. */
export interface Answer {
  isScam?: boolean;
  confidence?: number;
  flags?: number | string[];
}
export interface Parts {
  brief?: Partial<Brief>;
  evidence?: Evidence;
  draft?: Partial<Draft>;
  /** Default: a second question supports the answer, so the table alone decides. */
  review?: Review;
  settings?: Partial<RunSettings>;
}
export const at = '2026-01-05T10:00:09.000Z';
const flagsOf = (flags: number | string[]) =>
  typeof flags === 'number' ? Array.from({ length: flags }, (_, i) => `sign number ${i + 1}`) : flags;

/** One unit of a run in this mode. */
export function unit(mode: string | undefined, answer: Answer, parts: Parts = {}) {
  const { isScam = true, confidence = 0.9, flags = 0 } = answer;
  const said = { isScam, confidence, primaryCategory: 'kyc_banking', redFlags: flagsOf(flags) };
  return {
    unit: '',
    brief: aBrief({
      ...(mode === undefined ? {} : { mode }),
      language: { code: 'en', certainty: 0.9 },
      ...parts.brief,
    }),
    evidence: parts.evidence ?? evidenceOf(textSignals()),
    draft: aDraft({
      answer: said,
      explanation: 'It asks for a code.',
      evidenceUsed: [],
      confidence,
      ...parts.draft,
    }),
    review: parts.review ?? anExaminedReview('supports'),
    report: { title: '', markdown: '', citations: [] },
  };
}
export const decide = (mode: string | undefined, answer: Answer, parts: Parts = {}) =>
  engageProbeIgnore.decide([unit(mode, answer, parts)], aRunSettings(parts.settings), at, 'run-1');
/** Action and reason. */
export const decideScreening = (mode: string, answer: Answer, parts?: Parts) => {
  const { action, reason } = decide(mode, answer, parts).outcome;
  return [action, reason];
};
export const JUST_BELOW = (value: number) => value - Number.EPSILON;
