import { t } from '../../../strings/text.js';
import type { Citation, CitationProblem, CitationState, CriterionStatus } from '@casefile/contracts';
import type { Tone } from '../../../ui/badge.js';

export const STATUS_WORDS: Record<CriterionStatus, { words: string; tone: Tone }> = {
  MET: { words: t('policyCheck.met'), tone: 'green' },
  NOT_MET: { words: t('policyCheck.notMet'), tone: 'red' },
  UNCERTAIN: { words: t('policyCheck.uncertain'), tone: 'amber' },
};

export const STATE_WORDS: Record<CitationState, string> = {
  verified: t('policyCheck.verified'),
  says_otherwise: t('policyCheck.saysSomethingElse'),
  does_not_exist: t('policyCheck.doesNotExist'),
  unproven: t('policyCheck.unproven'),
};

/**
 * Words for the problem of a citation, and a label for the correct values that are shown with it; '' if there
 * are none.
 */
export const PROBLEM_WORDS: Record<CitationProblem, readonly [problem: string, instead: string]> = {
  unknown_node: [t('policyCheck.thisVersionOfThePolicy'), ''],
  wrong_page: [t('policyCheck.theSectionIsNotOn'), t('policyCheck.itsPages')],
  quote_too_short: [t('policyCheck.theQuoteIsTooShort'), ''],
  quote_altered: [t('policyCheck.theSectionDoesNotSay'), t('policyCheck.itSays')],
  quote_elsewhere: [t('policyCheck.theseWordsAreNotIn'), t('policyCheck.theyAreIn')],
  quote_not_found: [t('policyCheck.theSectionDoesNotSay2'), ''],
  unknown_fact: [t('policyCheck.theCaseHasNoFact'), ''],
  other_value: [t('policyCheck.theFactHasAnotherValue'), t('policyCheck.itIs')],
  is_there: [t('policyCheck.theFactExistsAlthoughThe'), t('policyCheck.itsValue')],
  never_looked_up: [t('policyCheck.noLookUpFoundIt'), ''],
  look_up_failed: [t('policyCheck.theLookUpFailedAnd'), ''],
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
  return of === 'fact'
    ? t('policyCheck.theCaseHasNoFact2', { asked })
    : t('policyCheck.thePolicyHasNothingOn', { asked });
}

/** A fact's value with its unit. */
export function valueText(value: string | number | boolean, unit?: string): string {
  const words = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return unit === undefined ? words : `${words} ${unit}`;
}
