import type { Draft, IncidentAction, IncidentResult } from '@casefile/contracts';
import type { Incident } from './alert.js';
import type { IncidentOptions } from './options.js';

/** Disposition that follows from each action. */
export const DISPOSITION = { page: 'act', ticket: 'review', 'no-action': 'dismiss' } as const;

/**
 * Fact that allows an incident to be dismissed. `status`: a status field of its sender calls it a
 * test, or reports an act of a person. `end`: its
 * sender reported the end, by a status field or of the occurrence. `name`: a setting names the alert. `look-up`: a
 * look-up from after the alert began.
 */
export type DismissalProof = 'status' | 'end' | 'name' | 'look-up';

/**
 * Action on an incident, its reason, and the step of the decision rule that led to it. `no-action` needs a proof, so
 * words of a text never dismiss an incident.
 */
export type IncidentDecision = {
  /** Reason, as a sentence that the verdict shows. */
  because: string;
  /** Step of the decision rule, see `decideIncident`. */
  by: 'state' | 'needed-look-up' | 'resolved' | 'false-alarm' | 'severity' | 'harm' | 'words' | 'neither';
} & ({ action: Exclude<IncidentAction, 'no-action'> } | { action: 'no-action'; proof: DismissalProof });

/** Inputs of the decision besides the result. */
export interface Circumstances {
  incident: Pick<Incident, 'name' | 'isNamed' | 'state' | 'textState'>;
  /** Whether the sender reports the alert as resolved, by a status field or by the end of its occurrence. */
  resolved: boolean;
  options: Pick<IncidentOptions, 'pageFrom' | 'alwaysFiring'>;
  /**
   * Reasons against closing the alert as a model's false alarm, as sentences. Default: none, so a false alarm
   * closes the alert.
   */
  doubts?: readonly string[];
  /** Whether an item from after the start shows harm at this time. Default: true. */
  isHarmProven?: boolean;
}

/**
 * Returns the action of the first step that applies:
 * 1. Act of a person on an alert, test message, or an alert that always fires by design: no-action.
 * 2. A required look-up failed, and the sender has not resolved the alert: page if critical, else ticket.
 * 3. The sender resolved the alert: no-action.
 * 4. A model reports a false alarm, and no look-up failed: no-action; ticket if there is a doubt.
 * 5. The rule of the alert could not be evaluated: ticket.
 * 6. Critical, and the words of its text do not say that it is over or a test: page.
 * 7. A model judged, an item from after the start shows harm now, and the confidence in the cause, or in the harm if the
 *    cause is not confirmed, is at least `pageFrom`: page.
 * 8. Otherwise: ticket.
 */
export function decideIncident(
  result: IncidentResult,
  { confidence, method }: Pick<Draft, 'confidence' | 'method'>,
  {
    incident,
    resolved,
    options: { pageFrom, alwaysFiring },
    doubts = [],
    isHarmProven = true,
  }: Circumstances,
): IncidentDecision {
  const { name, isNamed, state, textState } = incident;
  if (state === 'remark')
    return {
      action: 'no-action',
      proof: 'status',
      because: 'It reports an act of a person on the alert, such as a note, and no change of the alert.',
      by: 'state',
    };
  if (state === 'test')
    return { action: 'no-action', proof: 'status', because: 'It is a test message.', by: 'state' };
  if (isNamed && alwaysFiring.includes(name))
    return {
      action: 'no-action',
      proof: 'name',
      because: `${name} always fires by design, to show that alerting works.`,
      by: 'state',
    };
  const { severity, requiredFailed, falseAlarm, gaps, impact } = result;
  const critical = severity === 'critical';
  const pages = critical && textState === null;
  if (requiredFailed.length > 0 && !resolved)
    return {
      action: pages ? 'page' : 'ticket',
      because: `A look-up that was needed gave no answer (${requiredFailed.join(', ')}), and the alert is ${critical ? '' : 'not '}critical.`,
      by: 'needed-look-up',
    };
  if (resolved)
    return { action: 'no-action', proof: 'end', because: 'Its sender says that it is over.', by: 'resolved' };
  if (falseAlarm !== null && gaps.length === 0 && method !== 'heuristic') {
    const [doubt] = doubts;
    return doubt === undefined
      ? {
          action: 'no-action',
          proof: 'look-up',
          because: 'What was looked up shows that nothing is wrong.',
          by: 'false-alarm',
        }
      : { action: 'ticket', because: doubt, by: 'false-alarm' };
  }
  if (state === 'no-data')
    return {
      action: 'ticket',
      because: 'The rule could not be evaluated: it is not known whether anything is wrong.',
      by: 'state',
    };
  if (pages) return { action: 'page', because: 'The alert is critical.', by: 'severity' };
  const [first] = result.hypotheses;
  const isConfirmed = (result.causes ?? []).some(
    ({ cause, standing }) => cause === first?.cause && standing === 'confirmed',
  );
  const cause = first === undefined ? 'not known' : isConfirmed ? 'confirmed' : 'likely, and not confirmed';
  if (method !== 'heuristic' && impact.now && isHarmProven && confidence >= pageFrom)
    return {
      action: 'page',
      because: `There is harm at this time, and the cause is ${cause}.`,
      by: 'harm',
    };
  if (textState !== null) return { action: 'ticket', because: TEXT_SAYS[textState], by: 'words' };
  const why = impact.now
    ? 'the cause is not clear enough to wake somebody'
    : 'no look-up shows harm at this time';
  const how = severity === 'unknown' ? 'The severity of the alert is not known' : 'The alert is not critical';
  return { action: 'ticket', because: `${how}, and ${why}.`, by: 'neither' };
}

const TEXT_SAYS = {
  resolved:
    'Its text suggests that the problem is over, but no status field of its sender reports this. Check it.',
  test: 'Its text suggests that this is a test, but no status field of its sender reports this. Check it.',
};
