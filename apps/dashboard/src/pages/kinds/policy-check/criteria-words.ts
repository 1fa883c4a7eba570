import type { Citation, CitationProblem, CitationState, CriterionStatus } from '@casefile/contracts';
import type { Tone } from '../../../ui/badge.js';

export const STATUS_WORDS: Record<CriterionStatus, { words: string; tone: Tone }> = {
  MET: { words: 'met', tone: 'green' },
  NOT_MET: { words: 'not met', tone: 'red' },
  UNCERTAIN: { words: 'uncertain', tone: 'amber' },
};

export const STATE_WORDS: Record<CitationState, string> = {
  verified: 'verified',
  says_otherwise: 'says something else',
  does_not_exist: 'does not exist',
  unproven: 'unproven',
};

/**
 * Words for the problem of a citation, and a label for the correct values that are shown with it; '' if there
 * are none.
 */
export const PROBLEM_WORDS: Record<CitationProblem, readonly [problem: string, instead: string]> = {
  unknown_node: ['This version of the policy has no such section.', ''],
  wrong_page: ['The section is not on that page.', 'Its pages'],
  quote_too_short: ['The quote is too short to locate.', ''],
  quote_altered: ['The section does not say it in these words.', 'It says'],
  quote_elsewhere: ['These words are not in that section.', 'They are in'],
  quote_not_found: ['The section does not say this.', ''],
  unknown_fact: ['The case has no fact of that name.', ''],
  other_value: ['The fact has another value.', 'It is'],
  is_there: ['The fact exists, although the answer states that it does not.', 'Its value'],
  never_looked_up: ['No look-up found it.', ''],
  look_up_failed: ['The look-up failed and proves nothing.', ''],
};

/** Describes in one line what a citation claims. */
export function claimText(citation: Citation): string {
  switch (citation.kind) {
    case 'quote':
      return citation.quote;
    case 'fact':
      return `${citation.fact} = ${valueText(citation.value, citation.unit)}`;
    case 'absence':
      return absenceText(citation);
  }
}

export function absenceText({ of, asked }: { of: 'fact' | 'policy'; asked: string }): string {
  return of === 'fact' ? `The case has no fact “${asked}”` : `The policy has nothing on “${asked}”`;
}

/** A fact's value with its unit. */
export function valueText(value: string | number | boolean, unit?: string): string {
  const words = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return unit === undefined ? words : `${words} ${unit}`;
}
