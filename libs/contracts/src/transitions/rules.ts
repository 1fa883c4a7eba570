/**
 * Rules of a case, by name. The functions of this folder apply each one at one place. A test switches each rule off and expects a
 * property of the case to fail.
 */
export const CASE_RULES = {
  unknownRecovery:
    'A recovery of an alert that no case has opens no case. It is remembered for six hours, so that a start that arrives later is recorded as over.',
  remark:
    'A remark or an acknowledgement by a person is no alert. It opens no case and no run. Words of recovery without a status field join a known case without effect.',
  late: 'A report of an earlier occurrence changes nothing, except the count of alerts.',
  recovery: 'A recovery opens no run. It marks the case as resolved.',
  repeat: 'A repeat without an escalation joins the case and opens no run before the hold-off is over.',
  escalation:
    'An escalation is judged in the same case, also while a run is active and above the hourly limit: a higher severity, a firing state after a warning, or a much larger set of affected things.',
  hourlyLimit: 'Occurrences above the hourly limit are counted on the case and open no run.',
  person:
    'The answer of a person yields only to a person, an escalation or a new occurrence. Any other new verdict is a proposal.',
  superseded: 'A run sends no message if a later run has decided the case meanwhile.',
  unchanged:
    'A verdict on which receivers would act as before sends no message, unless it judges a new occurrence.',
  contradiction:
    'An answer that contradicts the record of its run is refused, unless the person overrides the refusal. It is then marked.',
} as const;
export type CaseRule = keyof typeof CASE_RULES;

/** Rules that do not apply. Only tests switch rules off. */
export type DisabledRules = ReadonlySet<CaseRule>;
export const ALL_RULES: DisabledRules = new Set();
