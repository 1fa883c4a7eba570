/**
 * Rules of a case, by name. The functions of this folder apply each one at one place. A test switches each rule off and expects a
 * property of the case to fail.
 */
export const CASE_RULES = {
  unknownRecovery:
    'A recovery of an alert that no case has opens no case. It is remembered for six hours after it first arrived. A start that arrives later and is not newer is judged, and its case is marked as resolved. A start without a time counts as such a start only within 30 seconds.',
  remark:
    'A remark or an acknowledgement by a person opens no case, and no run unless it reports an escalation. A known case counts it. Words of recovery without a status field join a known case without effect, unless they report an escalation or a later start. For an unknown alert they open a case.',
  late: 'A report of an earlier occurrence changes nothing, except the count of alerts. Only a request (`again=true`) opens a run for it.',
  recovery:
    'A recovery opens no run, also on request. It marks the case as resolved, and receivers that got a page get its end.',
  repeat: 'A repeat without an escalation joins the case and opens no run before the hold-off is over.',
  escalation:
    'An escalation is judged in the same case, also while a run is active and above the hourly limit: a higher severity, a firing state after a warning, or a much larger set of affected things.',
  hourlyLimit:
    'Occurrences above the hourly limit are counted on the case and open no run. Receivers that got its verdict get one message that it flaps.',
  person:
    'The answer of a person yields only to a person, an escalation or a new occurrence. Any other new verdict is a proposal.',
  superseded:
    'A run that was opened before the one that decided the case changes nothing and sends no message.',
  unchanged:
    'A verdict on which receivers would act as on the one that they have (same disposition, severity and deciding fields) sends no message, unless it judges a new occurrence, replaces the answer of a person or follows a withdrawn answer.',
  silence:
    'While a silence matches the alert of a case, its verdicts, reviews and flapping reach no destination. The answer of a person does, and the end of an alert whose page had left before.',
  silenceOver:
    'When the silence ends, a case that still fires is judged again if its verdict was withheld and no person answered it. Receivers do not have a withheld verdict, so none is compared with it.',
  contradiction:
    'An answer that contradicts the record of its run is refused, unless the person overrides the refusal. It is then marked.',
} as const;
export type CaseRule = keyof typeof CASE_RULES;

/** Rules that do not apply. Only tests switch rules off. */
export type DisabledRules = ReadonlySet<CaseRule>;
export const ALL_RULES: DisabledRules = new Set();
