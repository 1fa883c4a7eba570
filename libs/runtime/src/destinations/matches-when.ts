import {
  conditionFamily,
  type Condition,
  type DeliveryKind,
  type DestinationEvent,
  type DestinationWhen,
  type VerdictMessage,
} from '@casefile/contracts';

type Labels = Readonly<Record<string, string>>;
type JudgedCase = Pick<VerdictMessage, 'playbook' | 'verdict'>;

/** Returns whether a destination receives events of this kind. Default of a rule: verdicts only. */
export function receives({ events = ['verdict'] }: DestinationWhen, event: DestinationEvent): boolean {
  return events.includes(event);
}

/** Returns whether a destination receives this verdict. `labels` are those of the alert. */
export function matchesWhen(when: DestinationWhen, message: JudgedCase, labels: Labels): boolean {
  const { disposition, confidence } = message.verdict;
  return (
    receives(when, 'verdict') &&
    isIn(when.disposition, disposition) &&
    confidence >= (when.confidence ?? 0) &&
    matchesCase(when, message, labels)
  );
}

/**
 * Returns whether a destination is notified that this verdict waits for a reviewer. `disposition` and `confidence` of
 * the rule select verdicts only: a verdict that waits has the disposition `review`, and often a low confidence.
 */
export function matchesReview(when: DestinationWhen, message: JudgedCase, labels: Labels): boolean {
  return receives(when, 'review') && matchesCase(when, message, labels);
}

function matchesCase(when: DestinationWhen, { playbook, verdict }: JudgedCase, labels: Labels): boolean {
  return (
    isIn(when.playbook, playbook) &&
    isIn(when.severity, verdict.outcome.severity) &&
    Object.entries(when.labels ?? {}).every(([name, value]) => labels[name] === value)
  );
}

/** The condition that no destination is notified of, because the decision service sends the messages. */
const NEVER_SENT = 'service_absent.decision';

/**
 * Returns the kind of the message that notifies a destination of an open condition; null: it is not notified. No
 * destination is notified of a condition about itself.
 */
export function openingKind(
  { name, when }: { name: string; when: DestinationWhen },
  { id, severity }: Pick<Condition, 'id' | 'severity'>,
): Extract<DeliveryKind, 'condition-opened' | 'delivery-failing'> | null {
  const family = conditionFamily(id);
  if (id === NEVER_SENT) return null;
  if (family.startsWith('destination_') && id === `${family}.${name}`) return null;
  if (family === 'destination_failing' && receives(when, 'delivery')) return 'delivery-failing';
  const isMatch =
    receives(when, 'condition') && isIn(when.condition, family) && isIn(when.conditionSeverity, severity);
  return isMatch ? 'condition-opened' : null;
}

function isIn(list: readonly string[] | undefined, value: unknown): boolean {
  return list === undefined || (typeof value === 'string' && list.includes(value));
}
