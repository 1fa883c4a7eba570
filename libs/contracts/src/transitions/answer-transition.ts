import { ALL_RULES, type CaseRule, type DisabledRules } from './rules.js';

/** The answer of a person to the verdict of a case. */
export interface GivenAnswer {
  /** Whether the case has a verdict, and not a newer one than the person saw. */
  isCurrent: boolean;
  /** Whether the answer agrees with the verdict of the run. */
  agrees: boolean;
  /** What in the record of the run the answer contradicts, as a sentence. null: nothing. */
  contradiction: string | null;
  /** Whether `override` was sent. */
  overrides: boolean;
  /** Whether receivers do not have the verdict of the run, because a silence withheld it. Default: false. */
  isWithheld?: boolean;
}

/** Effect of an answer. */
export interface AnswerTransition {
  /** Whether the answer is refused with 409. */
  isRefused: boolean;
  /** Whether the corrected verdict shows receivers that it contradicts the record. */
  isMarked: boolean;
  /** Whether the answer is the verdict in force. */
  decides: boolean;
  /** Whether receivers get the verdict of the person. */
  leaves: boolean;
  rule: CaseRule | null;
}

/** Returns the effect of a person's answer. The newest answer decides, also if another person gave the earlier one. */
export function answerTransition(
  { isCurrent, agrees, contradiction, overrides, isWithheld = false }: GivenAnswer,
  disabled: DisabledRules = ALL_RULES,
): AnswerTransition {
  const refused = { isRefused: true, isMarked: false, decides: false, leaves: false };
  if (!isCurrent) return { ...refused, rule: null };
  if (contradiction !== null && !overrides && !disabled.has('contradiction'))
    return { ...refused, rule: 'contradiction' };
  const isMarked = contradiction !== null;
  return {
    isRefused: false,
    isMarked,
    decides: true,
    leaves: !agrees || isWithheld,
    rule: isMarked ? 'contradiction' : null,
  };
}
