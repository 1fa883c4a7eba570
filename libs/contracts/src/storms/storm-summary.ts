import { z } from 'zod';
import { personal } from '../access/field-class.js';
import { SEVERITIES } from '../transitions/grade.js';
import { alertGroups, byStart, MOST_LISTED, probableRoot, type StormMember } from './storm-verdict.js';

/** Name of the tool that lists the alerts of a storm. */
export const STORM_TOOL = 'storm_members';

/** A storm as people and models see it. */
export const stormSummarySchema = z.object({
  leadCaseId: z.string().describe('The case that is judged for all.'),
  cases: z.number().int().describe('Number of its cases, with the judged one.'),
  firstAt: z.string().describe('Start of its first alert.'),
  lastAt: z.string().describe('Start of its last alert.'),
  groups: z
    .array(
      z.object({
        name: personal(z.string()),
        services: personal(z.array(z.string())),
        severity: z.enum(SEVERITIES),
        cases: z.number().int(),
        firstAt: z.string(),
      }),
    )
    .describe('Its alerts by name and services, in the order in which they began.'),
  root: z
    .object({ service: personal(z.string()), dependents: z.number().int() })
    .nullable()
    .describe(
      'The service that probably caused it: most of its services depend on it, otherwise its alert began first. null: unknown.',
    ),
  alerts: z
    .array(
      z.object({
        caseId: z.string(),
        name: personal(z.string()),
        severity: z.enum(SEVERITIES),
        beganAt: z.string(),
      }),
    )
    .describe('Its alerts in the order in which they began, at most 100.'),
});
export type StormSummary = z.infer<typeof stormSummarySchema>;

const iso = (ms: number): string => new Date(ms).toISOString();

/** Returns the summary of a storm; null: it has one case only. A case is listed once, with its newest alert. */
export function stormSummary(leadCaseId: string, members: readonly StormMember[]): StormSummary | null {
  const alerts = byStart(members);
  const [first, last] = [alerts[0], alerts.at(-1)];
  if (first === undefined || last === undefined || alerts.length < 2) return null;
  return {
    leadCaseId,
    cases: alerts.length,
    firstAt: iso(first.beganAt),
    lastAt: iso(last.beganAt),
    groups: alertGroups(alerts)
      .slice(0, MOST_LISTED.alerts)
      .map((group) => ({ ...group, firstAt: iso(group.firstAt) })),
    root: probableRoot(alerts),
    alerts: alerts.slice(0, MOST_LISTED.alerts).map(({ caseId, name, severity, beganAt }) => {
      return { caseId, name, severity, beganAt: iso(beganAt) };
    }),
  };
}

/** Returns the storm in lines for messages and prompts: its size, its probable root, and the alerts by name. */
export function stormLines({ cases, firstAt, lastAt, groups, root }: StormSummary): string[] {
  const cause =
    root === null
      ? []
      : root.dependents > 0
        ? [`Probable root: ${root.service}; ${root.dependents} of the affected services depend on it.`]
        : [`The first alert is of the service ${root.service}.`];
  const lines = groups
    .slice(0, MOST_LISTED.groups)
    .map(({ name, services, severity, cases: count, firstAt: at }) => {
      const of = services.length === 0 ? '' : `${services.join(', ')}: `;
      return `${of}${name}, ${severity}, ${count === 1 ? '1 alert' : `${count} alerts`} since ${clock(at)}`;
    });
  const more = groups.length > lines.length ? ['and alerts with more names'] : [];
  return [
    `${cases} alerts began from ${firstAt.slice(0, 10)} ${clock(firstAt)} to ${clock(lastAt)} UTC.`,
    ...cause,
    ...lines,
    ...more,
  ];
}

const clock = (at: string): string => at.slice(11, 19);
