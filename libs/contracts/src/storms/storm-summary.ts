import { z } from 'zod';
import { SEVERITIES } from '../transitions/grade.js';
import { probableRoot, type StormMember } from './storm-verdict.js';

/** Name of the tool that lists the alerts of a storm. */
export const STORM_TOOL = 'storm_members';

/** Maximum number of names, services and alerts that a summary of a storm lists. */
export const MOST_LISTED = { names: 20, services: 20, alerts: 100 };

/** A storm as people and models see it. The lists have its first entries. */
export const stormSummarySchema = z.object({
  leadCaseId: z.string().describe('The case that is judged for all.'),
  cases: z.number().int().describe('Number of its cases, with the judged one.'),
  firstAt: z.string().describe('Start of its first alert.'),
  lastAt: z.string().describe('Start of its last alert.'),
  names: z
    .array(z.object({ name: z.string(), cases: z.number().int() }))
    .describe('Names of its alerts, the most frequent first.'),
  services: z.array(z.string()).describe('Services in the order in which their alerts began.'),
  root: z
    .object({ service: z.string(), dependents: z.number().int() })
    .nullable()
    .describe(
      'The service that probably caused it: most of its services depend on it, otherwise its alert began first. null: unknown.',
    ),
  alerts: z
    .array(
      z.object({
        caseId: z.string(),
        name: z.string(),
        services: z.array(z.string()),
        severity: z.enum(SEVERITIES),
        beganAt: z.string(),
        isLead: z.boolean(),
      }),
    )
    .describe('Its alerts in the order in which they began, at most 100.'),
});
export type StormSummary = z.infer<typeof stormSummarySchema>;

/** Returns the summary of a storm; null: it has one case only. A case is listed once, with its newest alert. */
export function stormSummary(leadCaseId: string, members: readonly StormMember[]): StormSummary | null {
  const newest = new Map(members.map((member) => [member.caseId, member]));
  if (newest.size < 2) return null;
  const alerts = [...newest.values()].toSorted(
    (a, b) => a.beganAt - b.beganAt || a.joinedAt - b.joinedAt || (a.caseId < b.caseId ? -1 : 1),
  );
  const counts = new Map<string, number>();
  for (const { name } of alerts) counts.set(name, (counts.get(name) ?? 0) + 1);
  const iso = (ms: number): string => new Date(ms).toISOString();
  return {
    leadCaseId,
    cases: alerts.length,
    firstAt: iso(alerts[0]?.beganAt ?? 0),
    lastAt: iso(alerts.at(-1)?.beganAt ?? 0),
    names: [...counts]
      .map(([name, cases]) => ({ name, cases }))
      .toSorted((a, b) => b.cases - a.cases)
      .slice(0, MOST_LISTED.names),
    services: [...new Set(alerts.flatMap(({ services }) => services))].slice(0, MOST_LISTED.services),
    root: probableRoot(alerts),
    alerts: alerts.slice(0, MOST_LISTED.alerts).map(({ caseId, name, services, severity, beganAt }) => ({
      caseId,
      name,
      services,
      severity,
      beganAt: iso(beganAt),
      isLead: caseId === leadCaseId,
    })),
  };
}

/**
 * Returns the storm in lines for messages and prompts: its size, the names of its alerts, its probable root, and its alerts.
 * @param most Maximum number of alerts.
 */
export function stormLines(
  { cases, firstAt, lastAt, names, root, alerts: all }: StormSummary,
  most = MOST_LISTED.alerts,
): string[] {
  const alerts = all.slice(0, most);
  const span = `${cases} alerts began from ${firstAt} to ${lastAt}.`;
  const listed = names.map(({ name, cases: n }) => (n === 1 ? name : `${name} (${n})`)).join(', ');
  const cause =
    root === null
      ? []
      : root.dependents > 0
        ? [`Probable root: ${root.service}; ${root.dependents} of the affected services depend on it.`]
        : [`The first alert is of the service ${root.service}.`];
  const lines = alerts.map(({ name, services, severity, beganAt }) => {
    const of = services.length === 0 ? '' : ` ${services.join(', ')}`;
    return `${beganAt} ${severity}${of}: ${name}`;
  });
  const more = cases > alerts.length ? [`and ${cases - alerts.length} more`] : [];
  return [span, `Alerts: ${listed}.`, ...cause, ...lines, ...more];
}
