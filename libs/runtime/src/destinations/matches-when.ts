import type { DestinationWhen, VerdictMessage } from '@casefile/contracts';

/** Returns whether a destination receives this verdict. `labels` are those of the alert. */
export function matchesWhen(
  when: DestinationWhen,
  { playbook, verdict }: Pick<VerdictMessage, 'playbook' | 'verdict'>,
  labels: Readonly<Record<string, string>>,
): boolean {
  const { severity } = verdict.outcome;
  const isIn = (list: readonly string[] | undefined, value: unknown) =>
    list === undefined || (typeof value === 'string' && list.includes(value));
  return (
    isIn(when.playbook, playbook) &&
    isIn(when.disposition, verdict.disposition) &&
    isIn(when.severity, severity) &&
    verdict.confidence >= (when.confidence ?? 0) &&
    Object.entries(when.labels ?? {}).every(([name, value]) => labels[name] === value)
  );
}
