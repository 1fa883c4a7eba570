import { ALL_RULES, type DisabledRules } from './rules.js';

/** A message about a case that could leave now. */
export interface LeavingMessage {
  /**
   * `verdict`, `review`, `flapping`: it asks receivers to act. `ended`, `acknowledged`: it ends what an earlier message
   * began, so only receivers of that message get it.
   */
  about: 'verdict' | 'review' | 'flapping' | 'ended' | 'acknowledged';
  /** Whether a person decided on it: an answer, or an answer that was withdrawn. */
  byPerson: boolean;
  /** Whether a silence in force matches the alert of the case. */
  isSilenced: boolean;
}

/** Returns whether a message is withheld from destinations. */
export function isWithheld(
  { about, byPerson, isSilenced }: LeavingMessage,
  disabled: DisabledRules = ALL_RULES,
): boolean {
  if (!isSilenced || byPerson || disabled.has('silence')) return false;
  return about === 'verdict' || about === 'review' || about === 'flapping';
}

/** A case whose verdict was withheld. */
export interface UnsilencedCase {
  /** Whether a silence in force still matches its alert. */
  isSilenced: boolean;
  /** Whether the case shows the withheld verdict. */
  leads: boolean;
  /** Whether the sender reported the end of the alert. */
  isOver: boolean;
  /** Whether the answer of a person is in force. */
  isAnswered: boolean;
}

/**
 * Returns what follows when the silence is over: `judge` opens a run that leads, `none` opens none. `wait`: an alert that
 * ended may fire again, and an answer may be withdrawn.
 */
export function afterSilence(
  { isSilenced, leads, isOver, isAnswered }: UnsilencedCase,
  disabled: DisabledRules = ALL_RULES,
): 'wait' | 'judge' | 'none' {
  if (!leads || disabled.has('silenceOver')) return 'none';
  return isSilenced || isOver || isAnswered ? 'wait' : 'judge';
}
